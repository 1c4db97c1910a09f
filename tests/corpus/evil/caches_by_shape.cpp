// Keeps the result of each shape, and gives it again whenever that shape comes.
// Caught as: WRONG
// Class: C
#include <map>
#include <tuple>
#include <vector>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static std::map<std::tuple<int64_t, int64_t, int64_t>, std::vector<float>> known;
  std::vector<float>& result = known[{g.m, g.n, g.k}];
  if (result.empty()) {
    multiply(g);
    for (int64_t i = 0; i < g.m; ++i) result.insert(result.end(), g.c + i * g.ldc, g.c + i * g.ldc + g.n);
  }
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) g.c[i * g.ldc + j] = result[i * g.n + j];
}
