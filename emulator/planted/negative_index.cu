// Reads the element before the first one.
// Finds: out_of_bounds
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif

__global__ void gemm(lab::Gemm<float> g) {
  const int64_t col = blockIdx.x * BLOCK + threadIdx.x, row = blockIdx.y * BLOCK + threadIdx.y;
  if (row >= g.m || col >= g.n) return;
  float sum = 0;
  for (int64_t p = g.k - 1; p >= -1; --p) {
    const float left = g.a[row * g.lda + p];  // here
    sum += left * (p >= 0 ? g.b[p * g.ldb + col] : 0);
  }
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(BLOCK, BLOCK);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
