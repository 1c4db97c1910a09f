// Textbook triple loop with one sum at a time: what every other variant is compared with.
//
// Each step of the inner loop goes one element along a row of A, but a whole row down a column of B: it
// touches a new cache line of B and uses one number of it. And every addition waits for the one before, since
// floating-point addition may not be reordered by the compiler.
#include "lab/gemm.h"

template <class T>
static void gemm(const lab::Gemm<T>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      T sum = 0;
      for (int64_t p = 0; p < g.k; ++p) {
        sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      }
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { gemm(g); }
LAB_GEMM_CPU(double)(const lab::Gemm<double>& g) { gemm(g); }
