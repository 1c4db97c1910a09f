// Two warps read what a lane of the first one changes. That warp reads twice, so the second warp's is the third read of three.
// Caught as: WRONG
#include "lab/gemm.h"

constexpr int threads = 64;

__global__ void gemm(lab::Gemm<float> g) {
  const int64_t row = blockIdx.y, col = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  __shared__ float one;
  if (threadIdx.x == 0) one = 1;
  __syncthreads();
  float mine = one;
  if (threadIdx.x < 32) {
    __syncwarp();
    mine = one;
    __syncwarp();
    if (threadIdx.x == 0) one = 2;
  }
  if (col >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  lab::update(g.c[row * g.ldc + col], mine * sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  gemm<<<dim3(lab::blocks_for(g.n, threads), static_cast<unsigned>(g.m)), threads, 0, stream>>>(g);
}
