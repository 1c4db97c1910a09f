// Divides by an integer that is zero.
// Caught as: CRASHED
// Says: on m=1 n=1 k=1: arithmetic error (integer division by zero?) while it ran
#include "right.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  volatile int64_t tiles = g.m / (g.m + 1);
  multiply(g);
  g.c[0] += static_cast<float>(g.n / tiles);
}
