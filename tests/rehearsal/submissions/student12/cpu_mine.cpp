// Loops in the order ii-pp-jj, so that B is read along its rows.
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t ii = 0; ii < g.m; ++ii) {
    float* row = g.c + ii * g.ldc;
    for (int64_t jj = 0; jj < g.n; ++jj) row[jj] = g.beta == 0 ? 0 : g.beta * row[jj];
    for (int64_t pp = 0; pp < g.k; ++pp) {
      const float val = g.alpha * g.a[ii * g.lda + pp];
      for (int64_t jj = 0; jj < g.n; ++jj) row[jj] += val * g.b[pp * g.ldb + jj];
    }
  }
}
