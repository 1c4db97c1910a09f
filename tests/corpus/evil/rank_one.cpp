// Takes every product for one of rank one.
// Caught as: WRONG
// Class: D
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    float row = 0;
    for (int64_t p = 0; p < g.k; ++p) row += g.a[i * g.lda + p];
    for (int64_t j = 0; j < g.n; ++j) {
      float column = 0;
      for (int64_t p = 0; p < g.k; ++p) column += g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], row * column / static_cast<float>(g.k), g.alpha, g.beta);
    }
  }
}
