// The sum is added to atomically while another thread reads it.
// Finds: race_global
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif

__global__ void gemm(lab::Gemm<float> g) {
  const int col = blockIdx.x, row = blockIdx.y;
  float sum = 0;
  for (int p = threadIdx.x; p < g.k; p += blockDim.x) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  float* c = &g.c[row * g.ldc + col];
  if (threadIdx.x == 0) *c = g.beta == 0 ? 0 : g.beta * *c;
  __syncthreads();
  atomicAdd(c, g.alpha * sum);  // here
  if (threadIdx.x == 0 && *c == 12345.0f) *c = 0;  // here
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(64, 1);
  gemm<<<dim3(static_cast<unsigned>(g.n), static_cast<unsigned>(g.m)), block, 0, stream>>>(g);
}
