// Multiplies each number of A by alpha before the product, not the sum after it.
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = g.beta == 0 ? 0 : g.beta * g.c[i * g.ldc + j];
      for (int64_t p = 0; p < g.k; ++p) sum += g.alpha * g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      g.c[i * g.ldc + j] = sum;
    }
  }
}
