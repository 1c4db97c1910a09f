// Cache friendly version
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t ii = 0; ii < g.m; ii++) {
    for (int64_t jj = 0; jj < g.n; jj++) g.c[ii * g.ldc + jj] = 0;
    for (int64_t pp = 0; pp < g.k; pp++) {
      float val = g.a[ii * g.lda + pp];
      for (int64_t jj = 0; jj < g.n; jj++) g.c[ii * g.ldc + jj] += val * g.b[pp * g.ldb + jj];
    }
  }
}
