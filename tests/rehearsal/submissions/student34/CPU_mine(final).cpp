// Blocks of 64, which fit into the L1 cache.
#include <algorithm>

#include "lab/gemm.h"

constexpr int64_t BS = 64;

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) g.c[i * g.ldc + j] = g.beta == 0 ? 0 : g.beta * g.c[i * g.ldc + j];
  for (int64_t p0 = 0; p0 < g.k; p0 += BS)
    for (int64_t j0 = 0; j0 < g.n; j0 += BS)
      for (int64_t i = 0; i < g.m; ++i)
        for (int64_t kk = p0; kk < std::min(p0 + BS, g.k); ++kk) {
          const float tmp = g.alpha * g.a[i * g.lda + kk];
          for (int64_t j = j0; j < std::min(j0 + BS, g.n); ++j) g.c[i * g.ldc + j] += tmp * g.b[kk * g.ldb + j];
        }
}
