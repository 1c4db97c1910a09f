// Writes through a null pointer.
#include "lab/gemm.h"

float* nowhere = nullptr;  // not static: the compiler must not know

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { nowhere[g.m - 1] = 1; }
