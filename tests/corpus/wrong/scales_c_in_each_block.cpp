// Works through k in blocks of 512, and multiplies C by beta in each of them.
// Caught as: WRONG
#include <algorithm>

#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t first = 0; first < g.k; first += 512)
    for (int64_t i = 0; i < g.m; ++i)
      for (int64_t j = 0; j < g.n; ++j) {
        float sum = 0;
        for (int64_t p = first; p < std::min<int64_t>(first + 512, g.k); ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
        const float beta = g.beta == 0 && first > 0 ? 1 : g.beta;
        lab::update(g.c[i * g.ldc + j], sum, g.alpha, beta);
      }
}
