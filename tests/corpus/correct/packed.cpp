// Packs both matrices into the work space before it multiplies.
#include "lab/gemm.h"

LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) { return (g.m * g.k + g.k * g.n) * sizeof(float); }

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  float* a = static_cast<float*>(g.workspace);
  float* bt = a + g.m * g.k;
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t p = 0; p < g.k; ++p) a[i * g.k + p] = g.a[i * g.lda + p];
  for (int64_t p = 0; p < g.k; ++p)
    for (int64_t j = 0; j < g.n; ++j) bt[j * g.k + p] = g.b[p * g.ldb + j];
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += a[i * g.k + p] * bt[j * g.k + p];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
