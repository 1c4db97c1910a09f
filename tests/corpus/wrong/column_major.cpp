// Takes all matrices for column-major ones, as Fortran keeps them.
// Caught as: WRONG, OUT_OF_BOUNDS
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[p * g.m + i] * g.b[j * g.k + p];
      lab::update(g.c[j * g.m + i], sum, g.alpha, g.beta);
    }
  }
}
