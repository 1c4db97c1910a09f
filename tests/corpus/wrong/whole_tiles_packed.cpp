// A fast path for whole tiles of 64 takes the rows for packed.
// Caught as: WRONG, OUT_OF_BOUNDS
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  const bool whole = g.m % 64 == 0 && g.n % 64 == 0 && g.k % 64 == 0;
  const int64_t lda = whole ? g.k : g.lda, ldb = whole ? g.n : g.ldb, ldc = whole ? g.n : g.ldc;
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * lda + p] * g.b[p * ldb + j];
      lab::update(g.c[i * ldc + j], sum, g.alpha, g.beta);
    }
}
