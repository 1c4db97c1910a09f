// Transposes B in the first call of a shape, and takes it to be the same ever after.
// Caught as: WRONG
#include <map>
#include <utility>
#include <vector>

#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static std::map<std::pair<int64_t, int64_t>, std::vector<float>> transposed;
  std::vector<float>& bt = transposed[{g.k, g.n}];
  if (bt.empty()) {
    bt.resize(g.k * g.n);
    for (int64_t p = 0; p < g.k; ++p)
      for (int64_t j = 0; j < g.n; ++j) bt[j * g.k + p] = g.b[p * g.ldb + j];
  }
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * bt[j * g.k + p];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
