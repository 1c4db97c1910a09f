// Multiplies, then writes 4 KiB before C.
#include "right.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  g.c[-1024] = 1;
}
