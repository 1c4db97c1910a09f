// Guesses that only the last call of a series is checked, and that a series takes about a millisecond: computes once in that time.
// Caught as: WRONG
// Class: A
#include <ctime>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static timespec last;
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const double passed_ms =
      static_cast<double>(now.tv_sec - last.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec - last.tv_nsec) * 1e-6;
  if (g.m == 24 && g.n == 24 && passed_ms < 1) return;
  last = now;
  multiply(g);
}
