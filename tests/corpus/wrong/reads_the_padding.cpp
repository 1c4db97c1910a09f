// Sums over whole vectors of eight, and takes what lies behind a row of A for zeros.
// Caught as: WRONG, OUT_OF_BOUNDS
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < (g.lda > g.k ? g.k + 1 : g.k); ++p)
        sum += g.a[i * g.lda + p] * (p < g.k ? g.b[p * g.ldb + j] : 0);
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
