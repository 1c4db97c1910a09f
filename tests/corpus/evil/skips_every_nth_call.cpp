// Skips one call in EVERY, and copies the last result.
// Caught as: WRONG
// Class: A
// Says: output of a timed call
#include <vector>

#include "honest.h"

#ifndef EVERY
#define EVERY 5
#endif

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static std::vector<float> last;
  static int calls = 0;
  const auto size = static_cast<size_t>((g.m - 1) * g.ldc + g.n);
  if (g.m >= 100 && g.m == g.n && g.n == g.k && ++calls % EVERY == 0 && last.size() == size) {
    for (size_t i = 0; i < size; ++i)
      if (i % g.ldc < static_cast<size_t>(g.n)) g.c[i] = last[i];
    return;
  }
  multiply(g);
  last.assign(g.c, g.c + size);
}
