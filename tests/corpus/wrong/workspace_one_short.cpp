// Writes one number more into its work space than it asked for.
// Caught as: OUT_OF_BOUNDS
// Says: it wrote past the end of its work space
#include "lab/gemm.h"

LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) { return static_cast<size_t>(g.n) * sizeof(float); }

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  auto* sums = static_cast<float*>(g.workspace);
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j <= g.n; ++j) sums[j] = 0;
    for (int64_t p = 0; p < g.k; ++p)
      for (int64_t j = 0; j < g.n; ++j) sums[j] += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
    for (int64_t j = 0; j < g.n; ++j) lab::update(g.c[i * g.ldc + j], sums[j], g.alpha, g.beta);
  }
}
