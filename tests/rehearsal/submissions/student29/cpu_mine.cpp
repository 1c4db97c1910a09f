// Three loops.
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t row = 0; row < g.m; ++row) {
    for (int64_t col = 0; col < g.n; ++col) {
      float acc = 0;
      for (int64_t l = 0; l < g.k; ++l) acc += g.a[row * g.lda + l] * g.b[l * g.ldb + col];
      lab::update(g.c[row * g.ldc + col], acc, g.alpha, g.beta);
    }
  }
}
