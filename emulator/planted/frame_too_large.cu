// A local array is larger than the stack of a thread.
// Finds: stack_overflow
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif

__global__ void gemm(lab::Gemm<float> g) {  // here
  const int col = blockIdx.x * BLOCK + threadIdx.x, row = blockIdx.y * BLOCK + threadIdx.y;
  if (row >= g.m || col >= g.n) return;
  float products[200000];
  for (int p = 0; p < 200000; ++p) products[p] = p < g.k ? g.a[row * g.lda + p] * g.b[p * g.ldb + col] : 0;
  float sum = 0;
  for (int p = 0; p < g.k; ++p) sum += products[p];
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(BLOCK, BLOCK);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
