// Copies A into an array on the stack, which is too large for it.
// Caught as: CRASHED
// Says: is the stack full, by a large array in a function or by endless recursion?
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  float copy[1 << 25];
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t p = 0; p < g.k; ++p) copy[i * g.k + p] = g.a[i * g.lda + p];
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += copy[i * g.k + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
}
