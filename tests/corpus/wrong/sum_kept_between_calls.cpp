// A static variable keeps the sum of the call before.
// Caught as: WRONG
// Says: right in a new process, wrong after earlier calls: does it keep something between calls, as a static variable
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static float sum = 0;
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
      if (i + 1 < g.m || j + 1 < g.n) sum = 0;
    }
}
