// Half of the lanes in the mask never reach the shuffle.
// Finds: lanes_missing
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif

// One warp an element of C: the lanes share the sum.
__global__ void gemm(lab::Gemm<float> g) {
  const int lane = threadIdx.x, col = blockIdx.x, row = blockIdx.y;
  float sum = 0;
  for (int p = lane; p < g.k; p += blockDim.x) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  if (lane < 16) {
    for (int by = 16; by > 0; by /= 2) sum += __shfl_down_sync(0xffffffffu, sum, by);  // here
  } else {
    __syncwarp();
  }
  if (lane == 0) lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(32, 1);
  gemm<<<dim3(static_cast<unsigned>(g.n), static_cast<unsigned>(g.m)), block, 0, stream>>>(g);
}
