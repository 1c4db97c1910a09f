// Says with #line that its error stands in another's file.
// Caught as: COMPILE_ERROR
// Class: F
#line 1 "/home/teacher/solution.cpp"
#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { multiply(g) }
