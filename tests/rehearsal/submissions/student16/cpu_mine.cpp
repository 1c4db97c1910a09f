// forgot nothing I hope
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t y = 0; y < g.m; y++)
    for (int64_t t = 0; t < g.k; t++)
      for (int64_t x = 0; x < g.n; x++) g.c[y * g.ldc + x] += g.alpha * g.a[y * g.lda + t] * g.b[t * g.ldb + x];
}
