// Names of CUDA used for variables of its own, a header that it does not need, a function that is not inlined.
#include <cuda.h>

#include "lab/gemm.h"

__device__ __noinline__ float multiply_add(float a, float b, float c) { return a * b + c; }

__global__ void gemm(lab::Gemm<float> g) {
  const int warpSize = 32;
  const int64_t row = blockIdx.y * int64_t{blockDim.y} + threadIdx.y;
  auto column = threadIdx.x;
  column += warpSize * blockIdx.x;
  if (row >= g.m || column >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum = multiply_add(g.a[row * g.lda + p], g.b[p * g.ldb + column], sum);
  lab::update(g.c[row * g.ldc + column], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  dim3 blockDim(32, 8);
  dim3 gridDim((g.n + blockDim.x - 1) / blockDim.x, (g.m + blockDim.y - 1) / blockDim.y);
  cudaFuncSetAttribute((const void*)gemm, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxL1);
  gemm<<<gridDim, blockDim, 0, stream>>>(g);
}
