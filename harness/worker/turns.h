// How the harness times single calls of a CPU variant with its own clock: words in memory that both processes share.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <ctime>

namespace harness::protocol {

/// One timed call after another, on buffers that the harness writes in between. The worker sleeps until `wake` has a new
/// number, copies it to `ready`, waits until `release` has it too, calls the variant, and copies it to `done`. The
/// harness measures the time from `release` to `done`. If `shown` gets the number before the release, the worker
/// reads the data that have come into its cache and then copies the number to `touched`. The harness reads only `ready`,
/// `touched` and `done`: a variant can change all of the words. A call that fails ends the turns with a reply on the socket.
struct Turns {
  using Word = std::atomic<uint32_t>;
  static_assert(Word::is_always_lock_free && sizeof(Word) == sizeof(uint32_t));
  alignas(64) Word wake;  // each in a cache line of its own
  alignas(64) Word ready;
  alignas(64) Word shown;
  alignas(64) Word touched;
  alignas(64) Word release;
  alignas(64) Word done;
};

/// Value of `wake` that ends the turns.
inline constexpr uint32_t no_more_turns = ~uint32_t{0};

/// Sleeps while `word` is `value`, at most as long as `longest`. May return early.
inline void sleep_while(Turns::Word& word, uint32_t value, const timespec* longest) {
  syscall(SYS_futex, &word, FUTEX_WAIT, value, longest, nullptr, 0);
}
inline void wake_sleeper(Turns::Word& word) { syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0); }

/// Tells the processor that a loop waits for memory.
inline void spin() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  asm volatile("yield");
#endif
}

}  // namespace harness::protocol
