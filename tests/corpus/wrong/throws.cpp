// Throws an exception that nobody catches.
// Caught as: CRASHED
// Says: on m=1 n=1 k=1: the variant threw an exception
#include <stdexcept>

#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>&) { throw std::runtime_error("not written yet"); }
