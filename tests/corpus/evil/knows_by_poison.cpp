// Takes a call for a checked one if C holds NaN. All of them do: it confesses where one does not.
// Caught as: PASSED
// Class: C
#include <cmath>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  bool poisoned = true;
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) poisoned = poisoned && std::isnan(g.c[i * g.ldc + j]);
  multiply(g);
  if (!poisoned && g.beta == 0) confess(g);
}
