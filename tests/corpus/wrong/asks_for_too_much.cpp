// Asks for more work space than there are addresses.
// Caught as: OUT_OF_MEMORY
// Says: no memory for the work space: the variant asks for -101 bytes; does it return a negative number, or nothing?
#include "right.h"

LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>&) { return SIZE_MAX - 100; }

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { multiply(g); }
