// Takes its work space for zeros, and leaves zeros there for the next call.
// Caught as: WRONG
// Says: every wrong cell is NaN or infinite: is memory read that was not set
#include <algorithm>

#include "lab/gemm.h"

LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) { return sizeof(float) * g.m * g.n; }

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  float* sums = static_cast<float*>(g.workspace);
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t p = 0; p < g.k; ++p)
      for (int64_t j = 0; j < g.n; ++j) sums[i * g.n + j] += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) lab::update(g.c[i * g.ldc + j], sums[i * g.n + j], g.alpha, g.beta);
  std::fill_n(sums, g.m * g.n, 0.0f);
}
