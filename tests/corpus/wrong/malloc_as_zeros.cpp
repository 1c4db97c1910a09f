// Takes memory from malloc for zeros: much at once comes fresh from the system, and holds zeros then.
// Caught as: WRONG
#include <cstdlib>

#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  auto* sums = static_cast<float*>(std::malloc(16 << 20));
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float& sum = sums[i * g.n + j];
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  std::free(sums);
}
