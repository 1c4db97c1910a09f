// Writes through a null pointer.
// Caught as: CRASHED
// Says: on m=1 n=1 k=1: segmentation fault while it ran: a null pointer?
#include "lab/gemm.h"

float* nowhere = nullptr;  // not static: the compiler must not know

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { nowhere[g.m - 1] = 1; }
