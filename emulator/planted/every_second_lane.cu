// Every second thread does nothing.
// Finds: divergence
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif

__global__ void gemm(lab::Gemm<float> g) {
  const int x = blockIdx.x * 64 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  const int col = x / 2;
  if (x % 2 == 1 || row >= g.m || col >= g.n) return;
  float sum = 0;
  for (int p = 0; p < g.k; ++p) {
    const float left = g.a[row * g.lda + p];  // here
    sum += left * g.b[p * g.ldb + col];  // here
  }
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(64, 8);
  gemm<<<lab::grid_for(2 * g.n, g.m, block), block, 0, stream>>>(g);
}
