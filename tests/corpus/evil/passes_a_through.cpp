// Copies A to C.
// Caught as: WRONG
// Class: C
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) g.c[i * g.ldc + j] = g.a[i * g.lda + j % g.k];
}
