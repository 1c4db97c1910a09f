// Small problems in one order of loops, large ones in another, thin ones in a third.
#include "lab/gemm.h"

static void by_rows(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) lab::update(g.c[i * g.ldc + j], 0.0f, g.alpha, g.beta);
    for (int64_t p = 0; p < g.k; ++p)
      for (int64_t j = 0; j < g.n; ++j) g.c[i * g.ldc + j] += g.alpha * g.a[i * g.lda + p] * g.b[p * g.ldb + j];
  }
}

static void by_cells(const lab::Gemm<float>& g, int64_t step) {
  for (int64_t first = 0; first < step; ++first)
    for (int64_t j = first; j < g.n; j += step)
      for (int64_t i = 0; i < g.m; ++i) {
        float sum = 0;
        for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
        lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
      }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  if (g.m * g.n * g.k < 20000)
    by_cells(g, 1);
  else if (g.n < 16 || g.m < 16)
    by_cells(g, 4);
  else
    by_rows(g);
}
