// Watches the memory accesses of the threads of one processor: are they allowed, do they race, was the memory
// written before, and how well do the lanes of a warp share requests?
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "emulator/device/arena.h"
#include "emulator/device/cell.h"
#include "emulator/device/processor.h"
#include "emulator/device/requests.h"

namespace lab::emulated {

class Watch {
 public:
  explicit Watch(Processor& processor);

  void begin_launch(size_t shared_before);
  void end_launch() { requests_.end_launch(); }
  void begin_block(uint64_t block);
  void end_block() { settle(); }
  /// The shadow of the first bytes of shared memory, for a block that waits for the others and goes on later.
  std::vector<Cell> shared_cells(size_t bytes) const;
  void enter_block(uint64_t block, const std::vector<Cell>& cells);
  /// All blocks have met: what follows does not race with what was before.
  void grid_met() { launch_phase_ = phase_ + 1; }
  void next_phase() { ++phase_; }
  void shared_usable(size_t offset, size_t bytes);
  void warp_stopped(unsigned warp) { requests_.flush(warp); }
  /// A thread made its writes visible to others (__threadfence).
  void fence(Thread& t, lab_scope scope);
  /// An atomic function changes what may be a lock from 0 to another value. Before it, and before each other atomic access:
  /// if the thread has this lock, it gives it back (locks.cpp).
  void may_take(Thread& t, const void* p) const;
  bool gives_back(Thread& t, const void* p);
  /// An atomicCAS is about to compare *p with what the thread read there before: that was a guess (races.cpp).
  void guessed(const Thread& t, const void* p);
  /// An atomic function with the scope of the block is about to update *p.
  void only_for_block(Thread& t, const void* p, uint64_t site);

  /// A thread is about to access `bytes` at p. Defined in access.h, because it must be fast.
  template <unsigned bytes, lab_access access>
  void access(Thread& t, const void* p, uint64_t site);

  /// Marks bytes that an asynchronous copy will write.
  void pending(const void* p, unsigned bytes, bool is_pending);
  /// Such a copy is requested (it reads `read` bytes of its source) and executed, four bytes at a time.
  void copy_begins(Thread& t, char* to, unsigned bytes, const char* from, unsigned read, uint64_t site);
  void copy_ends(Thread& t, char* to, uint64_t site);

  /// Two writes to the same address race only if they write different values, which is known after the second
  /// write.
  void settle() {
    if (unsettled_.bytes) settle_now();
  }

  bool overwrites = false;      // the atomic access that begins does not use the old value
  bool counts_atomics = true;   // atomic accesses count as requests of their warp

  void found(lab_diagnostic_kind kind, const lab_origin& origin, const lab_origin& other, int64_t offset = 0,
             int64_t extent = 0, unsigned bytes = 0, int buffer = -1);

 private:
  enum class Space { shared, global };
  struct Unsettled {
    const char* p = nullptr;
    unsigned bytes = 0;
    char before[16];
    lab_diagnostic_kind kind;
    lab_origin origin, other;
  };
  /// One access, for the functions that report what is rare.
  struct Access {
    Thread& thread;
    const char* p;
    unsigned bytes;
    lab_access access;
    uint64_t site;
  };

  template <Space space, unsigned bytes, lab_access access, class AnyCell>
  void touch(Thread& t, AnyCell& c, const char* p, unsigned mask, uint64_t site);

  bool in_warp_of(const Thread& t, const Use& other) const {
    return static_cast<unsigned>(other.thread - (t.index - t.lane)) < lanes_;
  }
  /// Whether a warp function lies between an access of another thread and this lane of its warp, or both have the same lock.
  bool ordered(const Thread& t, const Use& other) const {
    return (other.sync != t.sync && in_warp_of(t, other)) || (other.lock && other.lock == t.lock);
  }
  bool is_shared(const void* p) const {
    return static_cast<size_t>(static_cast<const char*>(p) - shared_base_) < Processor::shared_capacity;
  }
  /// What is remembered of *p. Null if p is neither in shared nor in global memory.
  const Cell* find_cell(const void* p) const;
  void remember_write(const Thread& t, Cell& c, const Use& use, unsigned mask) const;

  // These report what is rare. Some of them end the launch.
  bool race(const Access& a, Space space, const Use& other, lab_access with);
  void race_with_write_of_block(const Access& a, const Cell& c);
  void race_with_earlier_update(const Access& a, const GlobalCell& c);
  void race_of_blocks(const Access& a, uint32_t phase, uint64_t other_site, int other_thread,
                      lab_access with);
  void uninitialised(const Access& a, Space space);
  void copy_pending(const Access& a);
  [[noreturn]] void misaligned(const Access& a);
  [[noreturn]] void outside_shared(const Access& a);
  [[noreturn]] void outside_global(const Access& a);
  [[noreturn]] void input_written(const Access& a);
  void elsewhere(const Access& a);
  static constexpr int any_thread = -1;
  bool fenced(uint32_t phase, int thread) const;
  uint64_t block_of(uint32_t phase) const;
  lab_origin other_origin(uint16_t thread, uint64_t code, lab_access access) const;
  bool is_guess(const Access& a, uint32_t other_site, bool other_is_atomic, lab_access with) const;
  void settle_now();

  Processor& processor_;
  Arena& arena_;
  const unsigned lanes_;
  const char* shared_base_;
  std::unique_ptr<Cell[]> shared_;
  Requests requests_;
  // The first phase of a kernel comes after all of Arena::Writer.
  uint32_t phase_ = 3, block_phase_ = 3, launch_phase_ = 3, launch_ = 0;
  std::vector<uint32_t> block_phases_;  // first phase of each block of the launch, in order of running
  std::vector<uint64_t> blocks_;        // the number of that block
  /// The last phase in which a thread of the block called __threadfence (0: none), and the warps that did so then.
  struct Fence {
    uint32_t phase = 0, warps = 0;
  };
  std::vector<Fence> fences_;  // one for each block
  bool waited_ = false;                  // the block has seen what another block wrote before
  std::set<const void*> held_;           // locks that a thread has, or that no longer order anything
  std::set<uint32_t> guesses_;           // code that reads what an atomicCAS of the same thread then compares
  Unsettled unsettled_;
};

}  // namespace lab::emulated
