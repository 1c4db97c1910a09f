// A fast path for whole tiles asks whether the rows of B and C follow each other, and takes those of A for packed without asking.
// Caught as: WRONG, OUT_OF_BOUNDS
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  const bool whole = g.m % 16 == 0 && g.n % 16 == 0 && g.k % 16 == 0 && g.ldb == g.n && g.ldc == g.n;
  const int64_t lda = whole ? g.k : g.lda;
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
}
