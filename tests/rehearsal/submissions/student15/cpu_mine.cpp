// Copies B transposed into a buffer first
#include "lab/gemm.h"

static float bt[256 * 256];

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t p = 0; p < g.k; p++)
    for (int64_t j = 0; j < g.n; j++) bt[j * g.k + p] = g.b[p * g.ldb + j];
  for (int64_t i = 0; i < g.m; i++)
    for (int64_t j = 0; j < g.n; j++) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; p++) sum += g.a[i * g.lda + p] * bt[j * g.k + p];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
}
