// A loop waits for a value that no thread ever writes.
// Finds: endless
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif

__global__ void gemm(lab::Gemm<float> g) {
  const int col = blockIdx.x * BLOCK + threadIdx.x, row = blockIdx.y * BLOCK + threadIdx.y;
  volatile int ready = 0;
  while (!ready) {  // here
  }
  if (row < g.m && col < g.n) g.c[row * g.ldc + col] = 0;
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(BLOCK, BLOCK);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
