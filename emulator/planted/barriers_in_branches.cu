// The two branches of an if have a barrier each, and threads of one block take both.
// Finds: barrier_places
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
    a[y][x] = row < g.m && p + x < g.k ? g.a[row * g.lda + p + x] : 0;
    b[y][x] = p + y < g.k && col < g.n ? g.b[(p + y) * g.ldb + col] : 0;
    if (y % 2 == 0) {
      __syncthreads();  // here
    } else {
      __syncthreads();  // here
      a[y][x] *= 1;
    }
    for (int q = 0; q < BLOCK; ++q) {
      sum += a[y][q] *
             b[q][x];
    }
    __syncthreads();
  }
  if (row < g.m && col < g.n) lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(BLOCK, BLOCK);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
