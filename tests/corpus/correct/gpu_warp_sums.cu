// A warp an element of C: each lane adds every 32nd product, shuffles add the lanes.
#include "lab/gemm.h"

__global__ void gemm(lab::Gemm<float> g) {
  const int lane = threadIdx.x % warpSize;
  const int64_t warps = int64_t{gridDim.x} * blockDim.x / warpSize;
  for (int64_t cell = (blockIdx.x * int64_t{blockDim.x} + threadIdx.x) / warpSize; cell < g.m * g.n; cell += warps) {
    const int64_t row = cell / g.n, col = cell % g.n;
    float sum = 0;
    for (int64_t p = lane; p < g.k; p += warpSize) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
    for (int step = warpSize / 2; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0) lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
  }
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { gemm<<<256, 128, 0, stream>>>(g); }
