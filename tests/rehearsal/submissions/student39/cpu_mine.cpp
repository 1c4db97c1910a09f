// Loops in the order i-p-j, so that B is read along its rows.
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    float* row = g.c + i * g.ldc;
    for (int64_t j = 0; j < g.n; ++j) row[j] = g.beta == 0 ? 0 : g.beta * row[j];
    for (int64_t p = 0; p < g.k; ++p) {
      const float sum = g.alpha * g.a[i * g.lda + p];
      for (int64_t j = 0; j < g.n; ++j) row[j] += sum * g.b[p * g.ldb + j];
    }
  }
}
