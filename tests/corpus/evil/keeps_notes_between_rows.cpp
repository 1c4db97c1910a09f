// Keeps what it remembers between the rows of C, in what belongs to nobody.
// Caught as: OUT_OF_BOUNDS
// Class: E
#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  if (g.ldc > g.n && g.m > 1) g.c[g.n] = 42;
}
