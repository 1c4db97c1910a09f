// Sums in an int: right for whole numbers, and only for them.
// Caught as: WRONG
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      int sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += static_cast<int>( g.a[i * g.lda + p] * g.b[p * g.ldb + j]);
      lab::update(g.c[i * g.ldc + j], static_cast<float>(sum), g.alpha, g.beta);
    }
  }
}
