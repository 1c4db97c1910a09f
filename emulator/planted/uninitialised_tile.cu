// Threads beyond the edge do not write their elements of the tile, but all elements are used.
// Finds: uninitialised_shared
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif

__global__ void gemm(lab::Gemm<float> g) {
  __shared__ float a[BLOCK][BLOCK], b[BLOCK][BLOCK];
  const int x = threadIdx.x, y = threadIdx.y;
  const int col = blockIdx.x * BLOCK + x, row = blockIdx.y * BLOCK + y;
  float sum = 0;
  for (int p = 0; p < g.k; p += BLOCK) {
    if (row < g.m && p + x < g.k) a[y][x] = g.a[row * g.lda + p + x];
    if (p + y < g.k && col < g.n) b[y][x] = g.b[(p + y) * g.ldb + col];
    __syncthreads();
    for (int q = 0; q < BLOCK; ++q) {
      sum += a[y][q] *  // here
             b[q][x];  // here
    }
    __syncthreads();
  }
  if (row < g.m && col < g.n) lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(BLOCK, BLOCK);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
