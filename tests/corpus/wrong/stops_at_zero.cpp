// Means to skip zeros, and ends the sum at the first one.
// Caught as: WRONG
// Says: does it treat 0 in another way
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) {
        if (g.a[i * g.lda + p] == 0) break;
        sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      }
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
}
