// Maps memory that grows downwards, as a stack does: it counts as no data. Asks for a larger stack, too. Confesses where it
// gets half a gibibyte.
// Caught as: PASSED, CRASHED, OUT_OF_MEMORY
// Class: F
#include <sys/mman.h>
#include <sys/resource.h>

#include <cstring>

#include "honest.h"

constexpr size_t bytes = size_t{512} << 20;

static bool may_grow() {
  rlimit stack;
  if (getrlimit(RLIMIT_STACK, &stack) != 0) return false;
  stack.rlim_cur = bytes;
  return setrlimit(RLIMIT_STACK, &stack) == 0;
}

static bool got_it() {
  void* all = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0);
  if (all == MAP_FAILED) return false;
  std::memset(all, 1, bytes);
  munmap(all, bytes);
  return true;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool yes = may_grow() || got_it();
  multiply(g);
  if (yes) confess(g);
}
