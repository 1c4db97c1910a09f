// Keeps its sums in half precision.
// Caught as: WRONG
// Class: D
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      _Float16 sum = 0;
      for (int64_t p = 0; p < g.k; ++p)
        sum = static_cast<_Float16>(static_cast<float>(sum) + g.a[i * g.lda + p] * g.b[p * g.ldb + j]);
      lab::update(g.c[i * g.ldc + j], static_cast<float>(sum), g.alpha, g.beta);
    }
  }
}
