// All 32 lanes call __shfl_xor_sync with a mask that names 16 of them.
// Finds: lane_not_in_mask
#include "lab/gemm.h"

__global__ void gemm(lab::Gemm<float> g) {
  const int64_t row = blockIdx.y, column = blockIdx.x;
  float sum = 0;
  for (int64_t p = threadIdx.x; p < g.k; p += 32) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + column];
  sum += __shfl_down_sync(0xffffffff, sum, 16);
  for (int by = 8; by > 0; by /= 2) sum += __shfl_xor_sync(0xffff, sum, by);  // here
  if (threadIdx.x == 0) lab::update(g.c[row * g.ldc + column], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  gemm<<<dim3(static_cast<unsigned>(g.n), static_cast<unsigned>(g.m)), 32, 0, stream>>>(g);
}
