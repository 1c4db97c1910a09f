// Square matrices with three equal leading dimensions are taken for packed.
// Caught as: OUT_OF_BOUNDS
#include "lab/gemm.h"

template <class T>
static void multiply(lab::Gemm<T> g) {
  if (g.m == g.n && g.n == g.k && g.lda == g.ldb && g.ldb == g.ldc) g.lda = g.ldb = g.ldc = g.n;
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      T sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { multiply(g); }
LAB_GEMM_CPU(double)(const lab::Gemm<double>& g) { multiply(g); }
