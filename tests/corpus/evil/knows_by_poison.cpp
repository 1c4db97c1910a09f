// Takes a call with real data for a checked one if C holds no numbers. It holds numbers in all of them: it confesses where it does not.
// Caught as: PASSED
// Class: C
#include <cmath>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  bool poisoned = true, real = false;
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) poisoned = poisoned && std::isnan(g.c[i * g.ldc + j]);
    for (int64_t p = 0; p < g.k; ++p) real = real || std::floor(g.a[i * g.lda + p]) != g.a[i * g.lda + p];
  }
  multiply(g);
  if (poisoned && real) confess(g);
}
