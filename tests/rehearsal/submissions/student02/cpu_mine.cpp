// Loops in the order y-t-x, so that B is read along its rows.
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t y = 0; y < g.m; ++y) {
    float* row = g.c + y * g.ldc;
    for (int64_t x = 0; x < g.n; ++x) row[x] = g.beta == 0 ? 0 : g.beta * row[x];
    for (int64_t t = 0; t < g.k; ++t) {
      const float s = g.alpha * g.a[y * g.lda + t];
      for (int64_t x = 0; x < g.n; ++x) row[x] += s * g.b[t * g.ldb + x];
    }
  }
}
