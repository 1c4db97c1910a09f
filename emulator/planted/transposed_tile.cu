// Reads the tile of A by columns, so all lanes of a warp access the same bank.
// Finds: bank_conflicts
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif

__global__ void gemm(lab::Gemm<float> g) {
  __shared__ float a[32][32], b[32][32];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.x * 32 + x, col = blockIdx.y * 32 + y;
  float sum = 0;
  for (int p = 0; p < g.k; p += 32) {
    const int ay = blockIdx.x * 32 + y, bx = blockIdx.y * 32 + x;
    a[y][x] = ay < g.m && p + x < g.k ? g.a[ay * g.lda + p + x] : 0;
    b[y][x] = p + y < g.k && bx < g.n ? g.b[(p + y) * g.ldb + bx] : 0;
    __syncthreads();
#pragma unroll 1  // four at once would be one wide load
    for (int q = 0; q < 32; ++q) {
      sum += a[x][q] *  // here
             b[q][y];
    }
    __syncthreads();
  }
  if (row < g.m && col < g.n) lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(32, 32);
  gemm<<<lab::grid_for(g.m, g.n, block), block, 0, stream>>>(g);
}
