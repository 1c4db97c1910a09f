// TODO: say in one line what this variant does.
//
// It writes zeros, so it compiles and is WRONG. Replace the sum.
#include "lab/gemm.h"

template <class T>
static void gemm(const lab::Gemm<T>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      lab::Sum<T> sum = 0;
      // TODO: add g.a[i * g.lda + p] * g.b[p * g.ldb + j] for each p below g.k.
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { gemm(g); }
LAB_GEMM_CPU(double)(const lab::Gemm<double>& g) { gemm(g); }
LAB_GEMM_CPU(bf16)(const lab::Gemm<bf16>& g) { gemm(g); }
