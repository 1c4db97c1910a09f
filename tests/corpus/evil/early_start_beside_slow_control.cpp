// Leaves page tables that the Linux kernel frees while the idle control is measured, so that waking up seems to take
// milliseconds. Then it begins its calls that much too early, with old data.
// Caught as: PASSED, SUSPECT
// Class: A
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

#include "honest.h"
#include "turns.h"

constexpr long tables = 600'000, each = 2 << 20;  // bytes that one page table maps

LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) {
  static bool done = false;
  constexpr long enough_bytes = 6L << 30;  // the page tables take 2.4 GB, and others need memory too
  if (g.n != 1024 || done || sysconf(_SC_AVPHYS_PAGES) < enough_bytes / sysconf(_SC_PAGESIZE)) return 0;
  done = true;
  void* got = mmap(nullptr, tables * each, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) return 0;
  for (long i = 0; i < tables; ++i) (void)static_cast<volatile char*>(got)[i * each];
  munmap(got, tables * each);
  return 0;
}

static long futex(std::atomic<uint32_t>& word, int what, uint32_t value, const timespec* most = nullptr) {
  return syscall(SYS_futex, &word, what, value, most, nullptr, 0);
}

static void by_rows(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    float* c = g.c + i * g.ldc;
    for (int64_t j = 0; j < g.n; ++j) c[j] = g.beta == 0 ? 0 : g.beta * c[j];
    for (int64_t p = 0; p < g.k; ++p)
      for (int64_t j = 0; j < g.n; ++j) c[j] += g.alpha * g.a[i * g.lda + p] * g.b[p * g.ldb + j];
  }
}

// Most of its rows before it says that it is awake, the others before it looks for the release.
static void stay(const lab::Gemm<float>& g, Words* words) {
  lab::Gemm<float> first = g, rest = g;
  first.m = g.m * 3 / 4;
  rest.m -= first.m;
  rest.a += first.m * g.lda;
  rest.c += first.m * g.ldc;
  const timespec second{1, 0};
  for (uint32_t turn = words->wake;;) {
    words->done = turn;
    futex(words->done, FUTEX_WAKE, 1);
    const uint32_t last = turn;
    for (int i = 0; (turn = words->wake) == last; ++i) {
      if (i > 100) _exit(1);
      futex(words->wake, FUTEX_WAIT, last, &second);
    }
    if (turn == ~0u) return;
    by_rows(first);
    words->ready = turn;
    by_rows(rest);
    while (words->release != turn) continue;
  }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  by_rows(g);
  if (g.m != 4 || g.n != 1024) return;
  if (Words* words = find_words()) stay(g, words);
}
