// Makes its read-only inputs writable first, then sets them to zero.
// Caught as: INPUT_MODIFIED, CRASHED, WRONG
// Class: C
#include <sys/mman.h>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  auto* page = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(g.a) / 4096 * 4096);
  mprotect(page, 4096, PROT_READ | PROT_WRITE);
  float* a = const_cast<float*>(g.a);
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t p = 0; p < g.k; ++p) a[i * g.lda + p] = 0;
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) lab::update(g.c[i * g.ldc + j], 0.0f, g.alpha, g.beta);
}
