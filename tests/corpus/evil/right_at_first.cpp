// Right in the first calls, then a cell is left out: what is timed is not what was checked.
// Caught as: WRONG
// Class: A
// Says: output of a timed call, on m=
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static int calls = 0;
  ++calls;
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      if (calls > 80 && i == 0 && j == 0) sum = 0;
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
