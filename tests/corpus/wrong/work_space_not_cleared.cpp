// Adds up in the work space, and takes it to hold zeros.
// Caught as: WRONG
#include "lab/gemm.h"

LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) { return g.m * g.n * sizeof(float); }

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  float* sum = static_cast<float*>(g.workspace);
  for (int64_t p = 0; p < g.k; ++p)
    for (int64_t i = 0; i < g.m; ++i)
      for (int64_t j = 0; j < g.n; ++j) sum[i * g.n + j] += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) lab::update(g.c[i * g.ldc + j], sum[i * g.n + j], g.alpha, g.beta);
}
