// Adds to C where beta is 0, after it has set C to 0 where it held NaN.
// Caught as: WRONG
// Says: every cell is as if beta were 1: is C added, though beta is 0?
#include <cmath>

#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float& c = g.c[i * g.ldc + j];
      if (std::isnan(c)) c = 0;
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      c = g.alpha * sum + (g.beta == 0 ? c : g.beta * c);
    }
}
