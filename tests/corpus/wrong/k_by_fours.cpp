// Four steps of k a turn, and no turn for the rest.
// Caught as: WRONG
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p + 4 <= g.k; p += 4)
        for (int64_t q = p; q < p + 4; ++q) sum += g.a[i * g.lda + q] * g.b[q * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
