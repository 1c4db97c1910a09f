// Writes through a null pointer.
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  float* volatile nowhere = nullptr;
  nowhere[g.m - 1] = 1;
}
