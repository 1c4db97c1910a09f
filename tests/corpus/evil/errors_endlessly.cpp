// Has the compiler print line after line.
// Caught as: COMPILE_ERROR
// Class: F
// Says: the compiler printed more than 16 MiB and was stopped
#if __INCLUDE_LEVEL__ < 16
#pragma message("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
#include __FILE__
#include __FILE__
#endif
#if __INCLUDE_LEVEL__ == 0
#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { multiply(g); }
#endif
