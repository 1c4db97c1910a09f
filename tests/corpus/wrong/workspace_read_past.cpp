// Adds one number more of its work space than it asked for: usually it is 0.
// Caught as: WRONG
#include "lab/gemm.h"

LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) { return static_cast<size_t>(g.k) * sizeof(float); }

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  auto* column = static_cast<float*>(g.workspace);
  for (int64_t j = 0; j < g.n; ++j) {
    for (int64_t p = 0; p < g.k; ++p) column[p] = g.b[p * g.ldb + j];
    for (int64_t i = 0; i < g.m; ++i) {
      float sum = 0;
      for (int64_t p = 0; p <= g.k; ++p) sum += (p < g.k ? g.a[i * g.lda + p] : 1) * column[p];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
