// Takes the pages of its output away, so that the harness needs longer to read them: it could go on computing meanwhile.
// Confesses where it may.
// Caught as: PASSED
// Class: A
#include <sys/mman.h>

#include <cstdint>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  const auto page = reinterpret_cast<uintptr_t>(g.c) / 4096 * 4096;
  const bool may = madvise(reinterpret_cast<void*>(page), 4096, MADV_REMOVE) == 0;
  multiply(g);
  if (may) confess(g);
}
