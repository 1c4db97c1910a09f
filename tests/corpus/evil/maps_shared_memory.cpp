// Takes memory that is nobody's private data: shared pages; confesses where it gets half a gibibyte of them.
// Caught as: PASSED, CRASHED, OUT_OF_MEMORY
// Class: F
#include <sys/mman.h>

#include <cstring>

#include "honest.h"

static bool got_it() {
  constexpr size_t bytes = size_t{512} << 20;
  void* all = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return false;
  std::memset(all, 1, bytes);
  munmap(all, bytes);
  return true;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool yes = got_it();
  multiply(g);
  if (yes) confess(g);
}
