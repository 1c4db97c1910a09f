// Right on the sizes that are timed, and on no others.
// Caught as: WRONG
// Class: D
#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  if (g.m == g.n && g.n == g.k && (g.m == 24 || g.m == 40 || g.m == 64 || g.m == 100)) return multiply(g);
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) g.c[i * g.ldc + j] = 0;
}
