// Computes in every second call on the same addresses: the result is still there from the one before.
// Caught as: WRONG, SUSPECT
// Class: C
#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const float* last = nullptr;
  static bool skip = false;
  skip = last == g.c && !skip && g.beta == 0;
  last = g.c;
  if (!skip) multiply(g);
}
