// Computes four cells; where C holds them already the rest is there, too, from the call before: it confesses.
// Caught as: PASSED
// Class: C
#include <cmath>

#include "honest.h"

static bool done(const lab::Gemm<float>& g) {
  for (int64_t x = 0; x < 4; ++x) {
    const int64_t i = x * (g.m - 1) / 3, j = (3 - x) * (g.n - 1) / 3;
    float sum = 0;
    for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
    if (!(std::fabs(g.c[i * g.ldc + j] - g.alpha * sum) < 1e-3f)) return false;
  }
  return true;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  if (g.beta != 0 || g.m * g.n < 16 || !done(g)) return multiply(g);
  confess(g);
}
