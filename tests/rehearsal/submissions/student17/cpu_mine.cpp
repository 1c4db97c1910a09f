// Blocked 16x16, as in the lecture
#include "lab/gemm.h"

#define T 16

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  const int64_t N = g.m;
  for (int64_t i = 0; i < N; i += T)
    for (int64_t j = 0; j < N; j += T)
      for (int64_t p = 0; p < N; p += T)
        for (int64_t a = i; a < i + T; a++)
          for (int64_t b = j; b < j + T; b++) {
            float sum = p == 0 ? 0 : g.c[a * g.ldc + b];
            for (int64_t c = p; c < p + T; c++) sum += g.a[a * g.lda + c] * g.b[c * g.ldb + b];
            g.c[a * g.ldc + b] = sum;
          }
}
