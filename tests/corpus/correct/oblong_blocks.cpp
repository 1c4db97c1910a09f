// Blocks of 7 x 13 x 33: no edge of any matrix is a multiple of them.
#include <algorithm>

#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) lab::update(g.c[i * g.ldc + j], 0.0f, g.alpha, g.beta);
  for (int64_t top = 0; top < g.m; top += 7)
    for (int64_t left = 0; left < g.n; left += 13)
      for (int64_t from = 0; from < g.k; from += 33)
        for (int64_t i = top; i < std::min(top + 7, g.m); ++i)
          for (int64_t j = left; j < std::min(left + 13, g.n); ++j) {
            float sum = 0;
            for (int64_t p = from; p < std::min(from + 33, g.k); ++p)
              sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
            g.c[i * g.ldc + j] += g.alpha * sum;
          }
}
