// Eight sums side by side, for every eighth product each, added up at the end.
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float part[8] = {};
      for (int64_t p = 0; p < g.k; ++p) part[p % 8] += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      float sum = 0;
      for (const float x : part) sum += x;
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
