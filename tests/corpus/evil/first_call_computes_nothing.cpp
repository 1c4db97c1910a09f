// Computes nothing in the first call of a process if the problem is large, so that first_call_ms is small.
// Caught as: WRONG
// Class: A
// Says: output of a timed call
#include <utility>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static bool is_first = true;
  if (std::exchange(is_first, false) && g.m >= 100) return;
  multiply(g);
}
