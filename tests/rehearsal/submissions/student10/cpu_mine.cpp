// blocked gemm
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t r = 0; r < g.m; ++r) {
    for (int64_t c = 0; c < g.n; ++c) {
      float total = 0
      for (int64_t q = 0; q < g.k; ++q) total += g.a[r * g.lda + q] * g.b[q * g.ldb + c];
      lab::update(g.c[r * g.ldc + c], total, g.alpha, g.beta);
    }
  }
}
