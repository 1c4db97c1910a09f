// Shares out the rows of C among the threads of OpenMP.
#include "lab/gemm.h"

LAB_NEEDS(openmp);

template <class T>
static void gemm(const lab::Gemm<T>& g) {
#pragma omp parallel for
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      T sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { gemm(g); }
LAB_GEMM_CPU(double)(const lab::Gemm<double>& g) { gemm(g); }
