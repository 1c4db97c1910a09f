// AVX with aligned loads because they are faster
#include <immintrin.h>

#include "lab/gemm.h"

LAB_NEEDS(avx2, fma);

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t y = 0; y < g.m; ++y) {
    int64_t x = 0;
    for (; x + 8 <= g.n; x += 8) {
      __m256 s = _mm256_setzero_ps();
      for (int64_t t = 0; t < g.k; ++t)
        s = _mm256_fmadd_ps(_mm256_set1_ps(g.a[y * g.lda + t]), _mm256_load_ps(&g.b[t * g.ldb + x]), s);
      float out[8];
      _mm256_storeu_ps(out, s);
      for (int q = 0; q < 8; ++q) lab::update(g.c[y * g.ldc + x + q], out[q], g.alpha, g.beta);
    }
    for (; x < g.n; ++x) {
      float s = 0;
      for (int64_t t = 0; t < g.k; ++t) s += g.a[y * g.lda + t] * g.b[t * g.ldb + x];
      lab::update(g.c[y * g.ldc + x], s, g.alpha, g.beta);
    }
  }
}
