// Four rows of C at a time: each row of B is read once for four rows.
#include "lab/gemm.h"

static void rows4(const lab::Gemm<float>& g, int64_t i, int64_t count) {
  for (int64_t r = 0; r < count; ++r)
    for (int64_t j = 0; j < g.n; ++j) {
      float& c = g.c[(i + r) * g.ldc + j];
      c = g.beta == 0 ? 0 : g.beta * c;
    }
  for (int64_t p = 0; p < g.k; ++p) {
    const float* b = g.b + p * g.ldb;
    for (int64_t r = 0; r < count; ++r) {
      const float sum = g.alpha * g.a[(i + r) * g.lda + p];
      float* c = g.c + (i + r) * g.ldc;
      for (int64_t j = 0; j < g.n; ++j) c[j] += sum * b[j];
    }
  }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; i += 4) rows4(g, i, g.m - i < 4 ? g.m - i : 4);
}
