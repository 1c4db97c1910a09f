// Brings device operations of its own, under the name that the worker asks for.
// Caught as: COMPILE_ERROR
// Class: B
#include "honest.h"

LAB_EXPORT const lab_device_ops lab_device = {LAB_ABI_VERSION};

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { multiply_on(g, stream); }
