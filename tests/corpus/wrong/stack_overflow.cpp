// Recurses until the stack ends.
// Caught as: CRASHED
// Says: on m=1 n=1 k=1: segmentation fault while it ran
#include "lab/gemm.h"

static int deeper(volatile int* above) {
  volatile int here[256];
  here[0] = *above + 1;
  return deeper(here) + here[0];
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  volatile int start = 0;
  g.c[0] = static_cast<float>(deeper(&start));
}
