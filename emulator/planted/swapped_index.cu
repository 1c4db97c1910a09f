// A is read by columns.
// Finds: out_of_bounds
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif

__global__ void gemm(lab::Gemm<float> g) {
  const int col = blockIdx.x * BLOCK + threadIdx.x, row = blockIdx.y * BLOCK + threadIdx.y;
  if (row >= g.m || col >= g.n) return;
  float sum = 0;
  for (int p = 0; p < g.k; ++p) {
    const float left = g.a[p * g.lda + row];  // here
    sum += left * g.b[p * g.ldb + col];
  }
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(BLOCK, BLOCK);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
