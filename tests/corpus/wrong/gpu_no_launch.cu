// Calls its kernel like any function, without <<<grid, block>>>: it runs on the host.
// Caught as: COMPILE_ERROR
#include "lab/gemm.h"

__global__ void zeros(lab::Gemm<float> g) {
  for (int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; e < g.m * g.n; e += int64_t(gridDim.x) * blockDim.x)
    g.c[e / g.n * g.ldc + e % g.n] = 0;
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream) { zeros(g); }
