// Blocks of 256 steps; those of B begin where the number of columns says, not the leading dimension.
// Caught as: WRONG
#include <algorithm>
#include <vector>

#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  constexpr int64_t block = 256;
  std::vector<float> sums(static_cast<size_t>(g.n));
  for (int64_t i = 0; i < g.m; ++i) {
    std::fill(sums.begin(), sums.end(), 0.0f);
    for (int64_t first = 0; first < g.k; first += block) {
      const float* b = g.b + first * g.n;
      for (int64_t p = 0; p < std::min(block, g.k - first); ++p)
        for (int64_t j = 0; j < g.n; ++j) sums[static_cast<size_t>(j)] += g.a[i * g.lda + first + p] * b[p * g.ldb + j];
    }
    for (int64_t j = 0; j < g.n; ++j) lab::update(g.c[i * g.ldc + j], sums[static_cast<size_t>(j)], g.alpha, g.beta);
  }
}
