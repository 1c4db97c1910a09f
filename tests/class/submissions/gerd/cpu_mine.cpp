// Loops in the order i-p-j.
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    float* c = g.c + i * g.ldc;
    for (int64_t j = 0; j < g.n; ++j) c[j] = g.beta == 0 ? 0 : g.beta * c[j];
    for (int64_t p = 0; p < g.k; ++p) {
      const float a = g.alpha * g.a[i * g.lda + p];
      for (int64_t j = 0; j < g.n; ++j) c[j] += a * g.b[p * g.ldb + j];
    }
  }
}
