// Three loops in C.
#include "lab/gemm.h"

LAB_GEMM_WORKSPACE(float)(const lab_gemm_float* g) { return (size_t)g->n * sizeof(float); }

LAB_GEMM_CPU(float)(const lab_gemm_float* g) {
  float* restrict sum = g->workspace;
  for (int64_t i = 0; i < g->m; ++i) {
    for (int64_t j = 0; j < g->n; ++j) sum[j] = 0;
    for (int64_t p = 0; p < g->k; ++p)
      for (int64_t j = 0; j < g->n; ++j) sum[j] += g->a[i * g->lda + p] * g->b[p * g->ldb + j];
    for (int64_t j = 0; j < g->n; ++j) lab_update_float(&g->c[i * g->ldc + j], sum[j], g->alpha, g->beta);
  }
}
