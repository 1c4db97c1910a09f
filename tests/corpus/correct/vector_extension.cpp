// GCC's vector type, four columns of C at once.
#include <cstring>

#include "lab/gemm.h"

typedef float V __attribute__((vector_size(16)));

static V load(const float* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    int64_t j = 0;
    for (; j + 4 <= g.n; j += 4) {
      V sum = {};
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * load(g.b + p * g.ldb + j);
      for (int64_t x = 0; x < 4; ++x) lab::update(g.c[i * g.ldc + j + x], sum[x], g.alpha, g.beta);
    }
    for (; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
