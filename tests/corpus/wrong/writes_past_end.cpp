// Multiplies, then writes one element behind the last of C.
// Caught as: OUT_OF_BOUNDS
// Says: bytes were written after the end of C
#include "right.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  g.c[(g.m - 1) * g.ldc + g.n] = 1;
}
