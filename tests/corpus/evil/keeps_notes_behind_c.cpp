// Keeps what it remembers behind the last row of C, where nobody looks.
// Caught as: OUT_OF_BOUNDS
// Class: E
// Says: were written after the end of C
#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  float* note = g.c + (g.m - 1) * g.ldc + g.n + 8;
  if (reinterpret_cast<uintptr_t>(note) % 4096 < 4000) *note = 42;
}
