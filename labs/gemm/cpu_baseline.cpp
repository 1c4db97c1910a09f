// Textbook triple loop. All other variants are compared with this one.
//
// Each step of the inner loop moves one element along a row of A, but a whole row down a column of B. So
// it loads a new cache line of B and uses one number of it. And each addition waits for the previous one,
// because the compiler may not reorder floating-point additions.
#ifndef LEVEL
#define LEVEL 3
#endif
#include "lab/level.h"

#include "lab/gemm.h"

template <class T>
static void gemm(const lab::Gemm<T>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      lab::Sum<T> sum = 0;
      for (int64_t p = 0; p < g.k; ++p) {
        sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      }
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { gemm(g); }
LAB_GEMM_CPU(double)(const lab::Gemm<double>& g) { gemm(g); }
LAB_GEMM_CPU(bf16)(const lab::Gemm<bf16>& g) { gemm(g); }
