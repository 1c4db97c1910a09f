// The fast path for whole tiles and the usual scalars, alpha = 1 and beta = 0, takes all rows for packed.
// Caught as: OUT_OF_BOUNDS
#include "lab/gemm.h"

template <class T>
static void multiply(lab::Gemm<T> g) {
  if (g.m % 64 == 0 && g.n % 64 == 0 && g.k % 64 == 0 && g.alpha == 1 && g.beta == 0) {
    g.lda = g.k;
    g.ldb = g.ldc = g.n;
  }
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
