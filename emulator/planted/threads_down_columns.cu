// Neighbouring threads compute neighbouring rows, so their accesses are not coalesced.
// Finds: uncoalesced
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif

__global__ void gemm(lab::Gemm<float> g) {
  const int row = blockIdx.x * 32 + threadIdx.x, col = blockIdx.y * 8 + threadIdx.y;
  if (row >= g.m || col >= g.n) return;
  float sum = 0;
  for (int p = 0; p < g.k; ++p) {
    const float left = g.a[row * g.lda + p];  // here
    sum += left * g.b[p * g.ldb + col];
  }
  g.c[row * g.ldc + col] = g.beta == 0 ? g.alpha * sum : g.alpha * sum + g.beta * g.c[row * g.ldc + col];  // here
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(32, 8);
  gemm<<<lab::grid_for(g.m, g.n, block), block, 0, stream>>>(g);
}
