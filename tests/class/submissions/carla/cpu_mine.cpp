// Does not compile.
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  float sum = 0
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[p] * g.b[p * g.ldb];
  lab::update(g.c[0], sum, g.alpha, g.beta);
}
