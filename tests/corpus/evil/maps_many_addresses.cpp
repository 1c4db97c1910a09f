// Maps 40 GiB of addresses that it never writes. When it unmaps them, the Linux kernel cleans up for so long that the
// variant timed next is slower. Confesses where it gets them.
// Caught as: PASSED, CRASHED, OUT_OF_MEMORY
// Class: F
#include <sys/mman.h>

#include "honest.h"

static bool got_it() {
  constexpr size_t bytes = size_t{40} << 30;
  void* all = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return all != MAP_FAILED && munmap(all, bytes) == 0;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool yes = got_it();
  multiply(g);
  if (yes) confess(g);
}
