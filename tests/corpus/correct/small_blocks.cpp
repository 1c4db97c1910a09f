// Blocks of BLOCK x BLOCK x BLOCK, four by default, with their sums on the stack.
#include <algorithm>

#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 4
#endif

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t top = 0; top < g.m; top += BLOCK)
    for (int64_t left = 0; left < g.n; left += BLOCK) {
      float sum[BLOCK][BLOCK] = {};
      const int64_t rows = std::min<int64_t>(BLOCK, g.m - top), columns = std::min<int64_t>(BLOCK, g.n - left);
      for (int64_t from = 0; from < g.k; from += BLOCK)
        for (int64_t i = 0; i < rows; ++i)
          for (int64_t p = from; p < std::min<int64_t>(from + BLOCK, g.k); ++p)
            for (int64_t j = 0; j < columns; ++j)
              sum[i][j] += g.a[(top + i) * g.lda + p] * g.b[p * g.ldb + left + j];
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j)
          lab::update(g.c[(top + i) * g.ldc + left + j], sum[i][j], g.alpha, g.beta);
    }
}
