// Multiplies, then writes 4 KiB before C.
// Caught as: OUT_OF_BOUNDS
// Says: on m=1 n=1 k=1: it touched memory 4096 bytes before the start of C
#include "right.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  g.c[-1024] = 1;
}
