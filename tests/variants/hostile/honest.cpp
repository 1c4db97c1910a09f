// Does nothing but its work.
#include "right.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { multiply(g); }
