// A loop for small problems. Larger ones are computed four rows at a time, and the rows that remain are forgotten.
// Caught as: WRONG
// Says: small problems come out right: does it compute larger ones in another way?
#include "lab/gemm.h"

static void rows(const lab::Gemm<float>& g, int64_t first, int64_t end) {
  for (int64_t i = first; i < end; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  if (g.m * g.n * g.k < 510'000) return rows(g, 0, g.m);
  for (int64_t i = 0; i + 4 <= g.m; i += 4) rows(g, i, i + 4);
}
