// uses std::vector
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  std::vector<float> line(g.n);
  for (int64_t r = 0; r < g.m; ++r) {
    std::fill(line.begin(), line.end(), 0.f);
    for (int64_t q = 0; q < g.k; ++q)
      for (int64_t c = 0; c < g.n; ++c) line[c] += g.a[r * g.lda + q] * g.b[q * g.ldb + c];
    for (int64_t c = 0; c < g.n; ++c) lab::update(g.c[r * g.ldc + c], line[c], g.alpha, g.beta);
  }
}
