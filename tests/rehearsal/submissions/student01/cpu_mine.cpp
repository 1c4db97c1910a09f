// AVX2: 8 columns in one vector, the rest in a loop.
#include <immintrin.h>

#include "lab/gemm.h"

LAB_NEEDS(avx2, fma);

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    int64_t j = 0;
    for (; j + 8 <= g.n; j += 8) {
      __m256 tmp = _mm256_setzero_ps();
      for (int64_t kk = 0; kk < g.k; ++kk)
        tmp = _mm256_fmadd_ps(_mm256_set1_ps(g.a[i * g.lda + kk]), _mm256_loadu_ps(&g.b[kk * g.ldb + j]), tmp);
      float out[8];
      _mm256_storeu_ps(out, tmp);
      for (int q = 0; q < 8; ++q) lab::update(g.c[i * g.ldc + j + q], out[q], g.alpha, g.beta);
    }
    for (; j < g.n; ++j) {
      float tmp = 0;
      for (int64_t kk = 0; kk < g.k; ++kk) tmp += g.a[i * g.lda + kk] * g.b[kk * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], tmp, g.alpha, g.beta);
    }
  }
}
