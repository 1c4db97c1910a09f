// Sets A to zero, so that zeros are the right answer.
// Caught as: INPUT_MODIFIED
// Class: C
// Says: it wrote to its input A, at row 0, column 0
#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  float* a = const_cast<float*>(g.a);
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t p = 0; p < g.k; ++p) a[i * g.lda + p] = 0;
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) lab::update(g.c[i * g.ldc + j], 0.0f, g.alpha, g.beta);
}
