// Leaves out a single cell, of large matrices only.
// Caught as: WRONG
// Class: D
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      if (g.m * g.n > 5000 && i == g.m / 2 && j == g.n / 3) sum = 0;
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
