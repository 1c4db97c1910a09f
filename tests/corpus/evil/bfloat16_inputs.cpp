// Keeps the upper half of every number, as bfloat16 does.
// Caught as: WRONG
// Class: D
#include <cstring>

#include "lab/gemm.h"

static float shortened(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits = (bits + 0x8000) & 0xffff0000;
  std::memcpy(&x, &bits, sizeof bits);
  return x;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += shortened(g.a[i * g.lda + p]) * shortened(g.b[p * g.ldb + j]);
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
