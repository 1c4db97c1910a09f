// The grid is rounded down, so no block computes the last rows and columns.
// Caught as: WRONG
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif

__global__ void gemm(lab::Gemm<float> g) {
  const int col = blockIdx.x * BLOCK + threadIdx.x, row = blockIdx.y * BLOCK + threadIdx.y;
  if (row >= g.m || col >= g.n) return;
  float sum = 0;
  for (int p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(BLOCK, BLOCK);
  gemm<<<dim3(max(g.n / BLOCK, int64_t{1}), max(g.m / BLOCK, int64_t{1})), block, 0, stream>>>(g);
}
