// OpenMP
#include "lab/gemm.h"

LAB_NEEDS(openmp);

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
#pragma omp parallel for
  for (int64_t i = 0; i < g.m; ++i) {
    float* row = g.c + i * g.ldc;
    for (int64_t j = 0; j < g.n; ++j) row[j] = g.beta == 0 ? 0 : g.beta * row[j];
    for (int64_t p = 0; p < g.k; ++p)
      for (int64_t j = 0; j < g.n; ++j) row[j] += g.alpha * g.a[i * g.lda + p] * g.b[p * g.ldb + j];
  }
}
