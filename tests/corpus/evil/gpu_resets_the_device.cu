// Resets the device behind the worker's back.
// Caught as: CRASHED, WRONG, OUT_OF_MEMORY
// Emulated: PASSED
// Class: F
#include "honest.h"

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  multiply_on(g, stream);
  cudaDeviceReset();
}
