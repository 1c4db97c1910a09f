// A column of B goes into an array for 64 numbers, whatever k is.
// Caught as: CRASHED, WRONG
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  float column[64];
  float* volatile at = column;
  for (int64_t j = 0; j < g.n; ++j) {
    for (int64_t p = 0; p < g.k; ++p) at[p] = g.b[p * g.ldb + j];
    for (int64_t i = 0; i < g.m; ++i) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * at[p];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
