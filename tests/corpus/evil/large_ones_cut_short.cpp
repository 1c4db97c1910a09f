// Right on the small shapes of a check; on large ones the last tenth of k is left out.
// Caught as: WRONG
// Class: D
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  const int64_t steps = g.m * g.n * g.k > 900'000 ? g.k - g.k / 10 : g.k;
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < steps; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
