// Writes whole vectors of four columns, also at the end of a row.
// Caught as: OUT_OF_BOUNDS, WRONG
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; j += 4) {
      float sum[4] = {};
      for (int64_t p = 0; p < g.k; ++p)
        for (int64_t x = 0; x < 4 && j + x < g.n; ++x) sum[x] += g.a[i * g.lda + p] * g.b[p * g.ldb + j + x];
      for (int64_t x = 0; x < 4; ++x) lab::update(g.c[i * g.ldc + j + x], sum[x], g.alpha, g.beta);
    }
  }
}
