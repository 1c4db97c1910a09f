// In f64, with sums of 80 bits.
#include "lab/gemm.h"

LAB_GEMM_CPU(double)(const lab::Gemm<double>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      long double sum = 0;
      for (int64_t p = 0; p < g.k; ++p)
        sum += static_cast<long double>(g.a[i * g.lda + p]) * static_cast<long double>(g.b[p * g.ldb + j]);
      lab::update(g.c[i * g.ldc + j], static_cast<double>(sum), g.alpha, g.beta);
    }
  }
}
