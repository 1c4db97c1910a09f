// Keeps a row of A in an array that is too small for k above 1024.
// Caught as: WRONG, OUT_OF_BOUNDS, CRASHED
#include "lab/gemm.h"

static float row[1024], behind[1024];

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t p = 0; p < g.k; ++p) (p < 1024 ? row : behind)[p % 1024] = g.a[i * g.lda + p];
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += row[p % 1024] * g.b[p * g.ldb + j];
      float& c = g.c[i * g.ldc + j];
      c = g.alpha * sum + (g.beta == 0 ? 0 : g.beta * c);
    }
  }
}
