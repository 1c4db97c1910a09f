// Maps 40 GiB of addresses that it never writes. When it unmaps them, the Linux kernel frees their page tables for so long
// that the variant timed next is slower. Confesses where it gets them.
// Caught as: PASSED
// Class: F
#include <sys/mman.h>

#include "honest.h"

static bool got_it() {
  constexpr size_t bytes = size_t{40} << 30;
  void* all = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return false;
  constexpr size_t of_a_page_table = 2 << 20;
  for (size_t i = 0; i < bytes; i += of_a_page_table) (void)static_cast<volatile char*>(all)[i];
  return munmap(all, bytes) == 0;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool yes = got_it();
  multiply(g);
  if (yes) confess(g);
}
