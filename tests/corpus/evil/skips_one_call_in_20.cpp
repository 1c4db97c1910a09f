// Computes in 19 calls of 20, and copies the last result in the other.
// Caught as: WRONG
// Class: A
// Says: output of a timed call
#include <vector>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static std::vector<float> last;
  static int calls = 0;
  const auto size = static_cast<size_t>((g.m - 1) * g.ldc + g.n);
  if (g.m >= 100 && ++calls % 20 == 0 && last.size() == size) {
    for (size_t i = 0; i < size; ++i) g.c[i] = last[i];
    return;
  }
  multiply(g);
  last.assign(g.c, g.c + size);
}
