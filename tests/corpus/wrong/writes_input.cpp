// Scales A in place, then multiplies with it.
// Caught as: INPUT_MODIFIED
// Says: on m=1 n=1 k=1: it wrote to its input A, at row 0, column 0
#include "right.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  float* a = const_cast<float*>(g.a);
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t p = 0; p < g.k; ++p) a[i * g.lda + p] *= g.alpha;
  lab::Gemm<float> rest = g;
  rest.alpha = 1;
  multiply(rest);
}
