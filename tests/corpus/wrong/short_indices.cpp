// Counts cells with 16 bits.
// Caught as: WRONG
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      const unsigned short cell = i * g.ldc + j;
      lab::update(g.c[cell], sum, g.alpha, g.beta);
    }
}
