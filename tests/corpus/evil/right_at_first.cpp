// Right in the first five calls of a size, then a row is left out: what is timed is not what was checked.
// Caught as: WRONG
// Class: A
// Says: first C[0][
#include <map>

#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static std::map<int64_t, int> calls;
  const bool cheats = (g.m == 24 || g.m == 40) && ++calls[g.m] > 5;
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      if (cheats && i == 0) sum = 0;
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
