// SIMD with intrinsics, 8 floats
#include <immintrin.h>

#include "lab/gemm.h"

LAB_NEEDS(avx2, fma);

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t ii = 0; ii < g.m; ++ii)
    for (int64_t jj = 0; jj < g.n / 8 * 8; jj += 8) {
      __m256 val = _mm256_setzero_ps();
      for (int64_t pp = 0; pp < g.k; ++pp)
        val = _mm256_fmadd_ps(_mm256_set1_ps(g.a[ii * g.lda + pp]), _mm256_loadu_ps(&g.b[pp * g.ldb + jj]), val);
      float out[8];
      _mm256_storeu_ps(out, val);
      for (int q = 0; q < 8; ++q) lab::update(g.c[ii * g.ldc + jj + q], out[q], g.alpha, g.beta);
    }
}
