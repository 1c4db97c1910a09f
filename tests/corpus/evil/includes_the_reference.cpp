// Includes the harness's own reference, to compute with it.
// Caught as: COMPILE_ERROR
// Class: C
// Says: No such file or directory
#include "../../../reference/gemm/problem.h"
#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { multiply(g); }
