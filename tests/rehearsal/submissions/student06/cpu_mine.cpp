// Optimised loop order
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  // B is k x n so row pp starts at pp*n
  for (int64_t ii = 0; ii < g.m; ii++) {
    for (int64_t jj = 0; jj < g.n; jj++) {
      float val = 0.0f;
      for (int64_t pp = 0; pp < g.k; pp++) val += g.a[ii * g.k + pp] * g.b[pp * g.n + jj];
      g.c[ii * g.n + jj] = g.alpha * val + g.beta * g.c[ii * g.n + jj];
    }
  }
}
