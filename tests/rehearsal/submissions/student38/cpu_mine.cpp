// my own work
#include <immintrin.h>

#include "lab/gemm.h"

LAB_NEEDS(avx2, fma);

LAB_GEMM_CPU(float)(const lab::Gemm<float>& arg) {
  for (int64_t i = 0; i < arg.m; ++i) {
    int64_t j = 0;
    for (; j + 8 <= arg.n; j += 8) {
      __m256 tmp = _mm256_setzero_ps();
      for (int64_t kk = 0; kk < arg.k; ++kk)
        tmp = _mm256_fmadd_ps(_mm256_set1_ps(arg.a[i * arg.lda + kk]), _mm256_loadu_ps(&arg.b[kk * arg.ldb + j]), tmp);
      float out[8];
      _mm256_storeu_ps(out, tmp);
      for (int q = 0; q < 8; ++q) lab::update(arg.c[i * arg.ldc + j + q], out[q], arg.alpha, arg.beta);
    }
    for (; j < arg.n; ++j) {
      float tmp = 0;
      for (int64_t kk = 0; kk < arg.k; ++kk) tmp += arg.a[i * arg.lda + kk] * arg.b[kk * arg.ldb + j];
      lab::update(arg.c[i * arg.ldc + j], tmp, arg.alpha, arg.beta);
    }
  }
}
