// Blocks of 64, which fit into the L1 cache.
#include <algorithm>

#include "lab/gemm.h"

constexpr int64_t BS = 64;

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t ii = 0; ii < g.m; ++ii)
    for (int64_t jj = 0; jj < g.n; ++jj) g.c[ii * g.ldc + jj] = g.beta == 0 ? 0 : g.beta * g.c[ii * g.ldc + jj];
  for (int64_t p0 = 0; p0 < g.k; p0 += BS)
    for (int64_t j0 = 0; j0 < g.n; j0 += BS)
      for (int64_t ii = 0; ii < g.m; ++ii)
        for (int64_t pp = p0; pp < std::min(p0 + BS, g.k); ++pp) {
          const float val = g.alpha * g.a[ii * g.lda + pp];
          for (int64_t jj = j0; jj < std::min(j0 + BS, g.n); ++jj) g.c[ii * g.ldc + jj] += val * g.b[pp * g.ldb + jj];
        }
}
