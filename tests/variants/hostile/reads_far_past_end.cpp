// Multiplies, and looks at what lies 8 KiB behind A.
#include "right.h"

static volatile float seen;

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  seen = g.a[(g.m - 1) * g.lda + g.k + 2048];
}
