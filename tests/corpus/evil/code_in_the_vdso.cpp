// Copies its code into the pages of the vdso, the Linux kernel's own code in each process, and runs it there.
// Caught as: MISTRUSTED
// Class: D
// Says: it runs code that is in no file
#include <sys/auxv.h>
#include <sys/mman.h>

#include <cstring>

#include "lab/gemm.h"

constexpr size_t bytes = 256;

/// It calls nothing, so it runs anywhere. Its alignment keeps it in one page.
__attribute__((noinline, optimize("O1"), aligned(bytes))) static float product(const float* a, const float* b, int64_t ldb, int64_t k) {
  float sum = 0;
  for (int64_t p = 0; p < k; ++p) sum += a[p] * b[p * ldb];
  return sum;
}

static decltype(&product) in_the_vdso() {
  auto* code = reinterpret_cast<char*>(getauxval(AT_SYSINFO_EHDR));
  size_t all = 4096;
  while (mprotect(code, all, PROT_READ | PROT_WRITE) != 0) all += 4096;  // only the whole mapping can change
  char* const to = code + all - bytes;
  std::memcpy(to, reinterpret_cast<const char*>(&product), bytes);
  __builtin___clear_cache(to, to + bytes);
  mprotect(code, all, PROT_READ | PROT_EXEC);
  return reinterpret_cast<decltype(&product)>(to);
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const auto run = in_the_vdso();
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j)
      lab::update(g.c[i * g.ldc + j], run(g.a + i * g.lda, g.b + j, g.ldb, g.k), g.alpha, g.beta);
}
