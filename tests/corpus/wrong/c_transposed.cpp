// Writes the transpose of the product, where its shape allows it.
// Caught as: WRONG
// Says: every cell equals the transpose of A * B: are the indices of C swapped?
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.m == g.n ? g.c[j * g.ldc + i] : g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
