// Right for the scalars of the lab only: takes alpha for at most 1.5, and beta for at most 1.
// Caught as: WRONG
#include <algorithm>

#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, std::min(g.alpha, 1.5f), std::min(g.beta, 1.0f));
    }
}
