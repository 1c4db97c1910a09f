// Loads an image of the compiler's memory, with other code than its text and perhaps an attack on the compiler.
// Caught as: COMPILE_ERROR, PASSED
// Emulated: COMPILE_ERROR
// Class: F
#pragma GCC pch_preprocess "/tmp/kernel.gch"
#include "honest.h"

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { multiply_on(g, stream); }
