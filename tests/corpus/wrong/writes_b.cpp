// Transposes B in place where it is square.
// Caught as: INPUT_MODIFIED
// Says: it wrote to its input B, at row 0, column 0
#include <utility>

#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  float* b = const_cast<float*>(g.b);
  for (int64_t p = 0; g.k == g.n && p < g.k; ++p)
    for (int64_t j = 0; j <= p; ++j) std::swap(b[p * g.ldb + j], b[j * g.ldb + p]);
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * (g.k == g.n ? b[j * g.ldb + p] : b[p * g.ldb + j]);
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
