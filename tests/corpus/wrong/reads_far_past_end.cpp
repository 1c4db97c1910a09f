// Multiplies, and looks at what lies 8 KiB behind A.
// Caught as: OUT_OF_BOUNDS
// Says: on m=1 n=1 k=1: it touched memory 8192 bytes past the end of A (1 x 1, 4 bytes)
#include "right.h"

static volatile float seen;

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  seen = g.a[(g.m - 1) * g.lda + g.k + 2048];
}
