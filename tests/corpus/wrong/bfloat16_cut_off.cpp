// Keeps the upper half of every number, which rounds toward zero, and does not say so.
// Caught as: WRONG
// Says: every cell is as if A and B were cut off to 8 significant bits: do they become bfloat16 without rounding?
#include <bit>

#include "lab/gemm.h"

static float cut_off(float x) { return std::bit_cast<float>(std::bit_cast<uint32_t>(x) & 0xffff0000); }

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += cut_off(g.a[i * g.lda + p]) * cut_off(g.b[p * g.ldb + j]);
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
