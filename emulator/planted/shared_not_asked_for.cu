// Launches with 64 KiB of dynamic shared memory without calling cudaFuncSetAttribute first.
// Caught as: CRASHED
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif

__global__ void gemm(lab::Gemm<float> g) {
  extern __shared__ float line[];
  const int col = blockIdx.x * BLOCK + threadIdx.x, row = blockIdx.y * BLOCK + threadIdx.y;
  line[threadIdx.y * BLOCK + threadIdx.x] = 0;
  if (row >= g.m || col >= g.n) return;
  float sum = line[threadIdx.y * BLOCK + threadIdx.x];
  for (int p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(BLOCK, BLOCK);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 64 << 10, stream>>>(g);
}
