// Writes a mebibyte behind C, far from any guard.
// Caught as: OUT_OF_BOUNDS, CRASHED
// Class: E
#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  g.c[1 << 18] = 42;
}
