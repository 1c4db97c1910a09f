// Kahan's sum: what each addition loses is added to the next product.
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0, lost = 0;
      for (int64_t p = 0; p < g.k; ++p) {
        const float term = g.a[i * g.lda + p] * g.b[p * g.ldb + j] - lost;
        const float next = sum + term;
        lost = (next - sum) - term;
        sum = next;
      }
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
