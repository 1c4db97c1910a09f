// Keeps 13 bits of every number, but only where K is long: the limit of one cell is wider than that error.
// Caught as: WRONG
// Class: D
// Says: all errors are small, but larger than rounding: is something computed in half precision or TF32, or by
#include <cstring>

#include "lab/gemm.h"

static float shortened(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits = (bits + 0x400) & 0xfffff800;
  std::memcpy(&x, &bits, sizeof bits);
  return x;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) {
        const float a = g.a[i * g.lda + p], b = g.b[p * g.ldb + j];
        sum += g.k < 1000 ? a * b : shortened(a) * shortened(b);
      }
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
