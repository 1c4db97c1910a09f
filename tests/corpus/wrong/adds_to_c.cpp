// Adds to what C held, and forgets that nobody has set it to 0.
// Caught as: WRONG
// Says: was it written, or is C read, whose old values do not count here?
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      g.c[i * g.ldc + j] += g.alpha * sum;
    }
  }
}
