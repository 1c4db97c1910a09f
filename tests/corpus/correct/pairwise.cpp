// Adds the products in pairs, and the sums of pairs in pairs.
#include "lab/gemm.h"

static float sum_of(const lab::Gemm<float>& g, int64_t i, int64_t j, int64_t from, int64_t to) {
  if (to - from == 1) return g.a[i * g.lda + from] * g.b[from * g.ldb + j];
  const int64_t middle = from + (to - from) / 2;
  return sum_of(g, i, j, from, middle) + sum_of(g, i, j, middle, to);
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j)
      lab::update(g.c[i * g.ldc + j], sum_of(g, i, j, 0, g.k), g.alpha, g.beta);
}
