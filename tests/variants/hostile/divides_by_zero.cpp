// Divides by an integer that is zero.
#include "right.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  volatile int64_t tiles = g.m / (g.m + 1);
  multiply(g);
  g.c[0] += static_cast<float>(g.n / tiles);
}
