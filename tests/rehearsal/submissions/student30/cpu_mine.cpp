// Loops in the order r-q-c, so that B is read along its rows.
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t r = 0; r < g.m; ++r) {
    float* row = g.c + r * g.ldc;
    for (int64_t c = 0; c < g.n; ++c) row[c] = g.beta == 0 ? 0 : g.beta * row[c];
    for (int64_t q = 0; q < g.k; ++q) {
      const float total = g.alpha * g.a[r * g.lda + q];
      for (int64_t c = 0; c < g.n; ++c) row[c] += total * g.b[q * g.ldb + c];
    }
  }
}
