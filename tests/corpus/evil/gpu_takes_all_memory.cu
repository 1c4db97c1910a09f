// Takes device memory until there is none.
// Caught as: OUT_OF_MEMORY, CRASHED, PASSED
// Emulated: OUT_OF_MEMORY, CRASHED, TIMEOUT
// Class: F
#include "honest.h"

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  multiply_on(g, stream);
  void* piece = nullptr;
  while (cudaMalloc(&piece, 256 << 20) == cudaSuccess) cudaMemset(piece, 1, 256 << 20);
}
