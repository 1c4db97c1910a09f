// Works in tiles of 16 columns, and forgets the incomplete one at the end.
// Caught as: WRONG
// Says: every wrong cell lies in the last 3 of 35 columns
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < (g.n < 16 ? g.n : g.n / 16 * 16); ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
