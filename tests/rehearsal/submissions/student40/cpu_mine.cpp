// B transposed in the work space
#include "lab/gemm.h"

LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) { return g.k * g.n * sizeof(float); }

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  float* bt = static_cast<float*>(g.workspace);
  for (int64_t p = 0; p < g.k; ++p)
    for (int64_t j = 0; j < g.n; ++j) bt[j * g.k + p] = g.b[p * g.ldb + j];
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float s[4] = {0, 0, 0, 0};
      const float *x = g.a + i * g.lda, *y = bt + j * g.k;
      int64_t p = 0;
      for (; p + 4 <= g.k; p += 4)
        for (int q = 0; q < 4; ++q) s[q] += x[p + q] * y[p + q];
      for (; p < g.k; ++p) s[0] += x[p] * y[p];
      lab::update(g.c[i * g.ldc + j], s[0] + s[1] + s[2] + s[3], g.alpha, g.beta);
    }
}
