// Loads with instructions that need an address divisible by 16.
// Caught as: CRASHED
// Says: segmentation fault while it ran: a misaligned vector load or store, a pointer that was never set, or an array on the stack that was written past its end?
#include <immintrin.h>

#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    int64_t j = 0;
    for (; j + 4 <= g.n; j += 4) {
      __m128 sum = _mm_setzero_ps();
      for (int64_t p = 0; p < g.k; ++p)
        sum = _mm_add_ps(sum, _mm_mul_ps(_mm_set1_ps(g.a[i * g.lda + p]), _mm_load_ps(g.b + p * g.ldb + j)));
      float part[4];
      _mm_storeu_ps(part, sum);
      for (int64_t x = 0; x < 4; ++x) lab::update(g.c[i * g.ldc + j + x], part[x], g.alpha, g.beta);
    }
    for (; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
