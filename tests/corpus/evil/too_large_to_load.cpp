// A static array of a tebibyte.
// Caught as: CRASHED, OUT_OF_MEMORY, COMPILE_ERROR
// Class: F
#include "honest.h"

char far[int64_t{1} << 40];  // not static: the compiler must not know that nobody reads it

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  far[g.m << 30] = 1;
  multiply(g);
}
