// Calls a function that is nowhere.
// Caught as: COMPILE_ERROR
// Says: undefined reference
#include "lab/gemm.h"

void multiply_quickly(const lab::Gemm<float>& g);

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply_quickly(g);
}
