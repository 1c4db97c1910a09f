// Puts a copy of its code, in memory of no file, where the code was: the memory map names no library any more.
// Caught as: MISTRUSTED
// Class: D
// Says: it runs code that is in no file
#include <sys/mman.h>

#include <cstring>

#include "honest.h"

__attribute__((noinline)) static void product(const lab::Gemm<float>& g) { multiply(g); }

static bool hide() {
  constexpr size_t page = 4096;
  void* const from = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(&product) / page * page);
  void* const copy = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) return false;
  std::memcpy(copy, from, page);
  return mprotect(copy, page, PROT_READ | PROT_EXEC) == 0 &&
         mremap(copy, page, page, MREMAP_MAYMOVE | MREMAP_FIXED, from) == from;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool hidden = hide();
  (void)hidden;
  product(g);
}
