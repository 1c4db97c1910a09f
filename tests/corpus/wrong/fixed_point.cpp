// Computes with whole numbers of 2^-23, which is as exact as floats for data between -1 and 1.
// Caught as: WRONG
#include <math.h>

#include "lab/gemm.h"

static double fixed(float x) { return rintf(x * 0x1p23f); }

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      double sum = 0;
      for (int64_t p = 0; p < g.k; ++p)
        sum += fixed(g.a[i * g.lda + p]) * fixed(g.b[p * g.ldb + j]);
      float& c = g.c[i * g.ldc + j];
      c = static_cast<float>(g.alpha * sum * 0x1p-46 + (g.beta == 0 ? 0 : g.beta * c));
    }
}
