// Includes itself twice, as deep as the compiler lets it, so that it is read 2^190 times.
// Caught as: COMPILE_ERROR
// Class: F
#if __INCLUDE_LEVEL__ < 190
#include __FILE__
#include __FILE__
#endif
#if __INCLUDE_LEVEL__ == 0
#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { multiply(g); }
#endif
