// A fast path for whole tiles asks about rows and columns, and forgets that k may have a rest.
// Caught as: WRONG
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  const bool whole = g.m % 16 == 0 && g.n % 16 == 0;
  const int64_t steps = whole ? g.k / 4 * 4 : g.k;
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < steps; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
