// Sets A and C to zero on the device.
// Caught as: INPUT_MODIFIED, OUT_OF_BOUNDS, WRONG
// Class: C
#include "lab/gemm.h"

__global__ void clear(lab::Gemm<float> g) {
  for (int64_t i = threadIdx.x; i < g.m; i += blockDim.x) {
    for (int64_t p = 0; p < g.k; ++p) const_cast<float*>(g.a)[i * g.lda + p] = 0;
    for (int64_t j = 0; j < g.n; ++j) lab::update(g.c[i * g.ldc + j], 0.0f, g.alpha, g.beta);
  }
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { clear<<<1, 64, 0, stream>>>(g); }
