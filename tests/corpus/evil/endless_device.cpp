// Includes a device whose end nobody has seen.
// Caught as: COMPILE_ERROR
// Class: F
#include "/dev/zero"
#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { multiply(g); }
