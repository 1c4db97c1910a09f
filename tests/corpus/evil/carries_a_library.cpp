// A function of the vendor's library is a part of it, as after static linking.
// Caught as: MISTRUSTED
// Class: D
// Says: it holds cblas_sgemm, a part of a library that this lab forbids
#include "honest.h"

extern "C" __attribute__((noinline)) void cblas_sgemm(const lab::Gemm<float>* g) { multiply(*g); }

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { cblas_sgemm(&g); }
