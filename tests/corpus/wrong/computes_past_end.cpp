// Multiplies, then computes with the rest of the last cache line behind C and writes the results there: a NaN that was there
// would stay the same NaN.
// Caught as: OUT_OF_BOUNDS
// Says: bytes were written after the end of C
#include "right.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  volatile float* c = g.c;
  for (int64_t i = (g.m - 1) * g.ldc + g.n; i % 16 != 0; ++i) c[i] = c[i] * 0.5f + 1;
}
