// AVX2 version
#include <immintrin.h>

#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t row = 0; row < g.m; ++row) {
    int64_t col = 0;
    for (; col + 8 <= g.n; col += 8) {
      __m256 acc = _mm256_setzero_ps();
      for (int64_t l = 0; l < g.k; ++l)
        acc = _mm256_fmadd_ps(_mm256_set1_ps(g.a[row * g.lda + l]), _mm256_loadu_ps(&g.b[l * g.ldb + col]), acc);
      float out[8];
      _mm256_storeu_ps(out, acc);
      for (int q = 0; q < 8; ++q) lab::update(g.c[row * g.ldc + col + q], out[q], g.alpha, g.beta);
    }
    for (; col < g.n; ++col) {
      float acc = 0;
      for (int64_t l = 0; l < g.k; ++l) acc += g.a[row * g.lda + l] * g.b[l * g.ldb + col];
      lab::update(g.c[row * g.ldc + col], acc, g.alpha, g.beta);
    }
  }
}
