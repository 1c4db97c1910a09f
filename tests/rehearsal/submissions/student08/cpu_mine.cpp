// my version
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; i++)
    for (int64_t j = 0; j < g.n; j++) {
      float tmp = 0;
      for (int64_t kk = 0; kk < g.k; kk++) tmp += g.a[i * g.lda + kk] * g.b[kk * g.ldb + j];
      g.c[i * g.ldc + j] = g.alpha * tmp + g.beta * g.c[i * g.ldc + j];
    }
}
