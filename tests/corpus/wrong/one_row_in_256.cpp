// For one row, it keeps the sums in an array of 256 numbers, and leaves out the rest.
// Caught as: WRONG
// Says: every wrong cell lies in the last 844 of 1100 columns
#include <algorithm>

#include "lab/gemm.h"

static void one_row(const lab::Gemm<float>& g) {
  float sums[256] = {};
  const int64_t columns = std::min<int64_t>(g.n, 256);
  for (int64_t p = 0; p < g.k; ++p)
    for (int64_t j = 0; j < columns; ++j) sums[j] += g.a[p] * g.b[p * g.ldb + j];
  for (int64_t j = 0; j < columns; ++j) lab::update(g.c[j], sums[j], g.alpha, g.beta);
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  if (g.m == 1) return one_row(g);
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
