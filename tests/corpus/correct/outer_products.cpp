// k outermost: C is a sum of outer products, and each of them is rounded into it.
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) lab::update(g.c[i * g.ldc + j], 0.0f, g.alpha, g.beta);
  for (int64_t p = 0; p < g.k; ++p)
    for (int64_t i = 0; i < g.m; ++i)
      for (int64_t j = 0; j < g.n; ++j)
        g.c[i * g.ldc + j] += g.alpha * g.a[i * g.lda + p] * g.b[p * g.ldb + j];
}
