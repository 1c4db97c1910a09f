// Maps memory of its own over its inputs, with zeros in it.
// Caught as: WRONG
// Class: C
#include <sys/mman.h>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  auto* page = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(g.a) / 4096 * 4096);
  mmap(page, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) lab::update(g.c[i * g.ldc + j], 0.0f, g.alpha, g.beta);
}
