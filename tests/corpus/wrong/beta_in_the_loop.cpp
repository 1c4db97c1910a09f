// Multiplies C by beta in every step of k.
// Caught as: WRONG
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float& c = g.c[i * g.ldc + j];
      if (g.beta == 0) c = 0;
      for (int64_t p = 0; p < g.k; ++p)
        c = g.alpha * g.a[i * g.lda + p] * g.b[p * g.ldb + j] + (g.beta == 0 ? 1 : g.beta) * c;
    }
  }
}
