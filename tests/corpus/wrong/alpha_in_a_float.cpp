// Keeps alpha in a float although all else is double.
// Caught as: WRONG
// Says: every cell is as if alpha had 24 significant bits: is it kept in a float?
#include "lab/gemm.h"

LAB_GEMM_CPU(double)(const lab::Gemm<double>& g) {
  const float alpha = static_cast<float>(g.alpha);
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      double sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, static_cast<double>(alpha), g.beta);
    }
}
