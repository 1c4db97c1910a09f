// Asks for half of the work space that it uses.
// Caught as: CRASHED, WRONG, OUT_OF_BOUNDS
#include "lab/gemm.h"

LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) { return g.k * g.n * sizeof(float) / 2; }

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  float* bt = static_cast<float*>(g.workspace);
  for (int64_t p = 0; p < g.k; ++p)
    for (int64_t j = 0; j < g.n; ++j) bt[j * g.k + p] = g.b[p * g.ldb + j];
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * bt[j * g.k + p];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
