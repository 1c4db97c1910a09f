// Host code reads an element of a matrix on the device.
// Finds: device_pointer
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif

__global__ void gemm(lab::Gemm<float> g, float first) {
  const int col = blockIdx.x * BLOCK + threadIdx.x, row = blockIdx.y * BLOCK + threadIdx.y;
  if (row >= g.m || col >= g.n) return;
  float sum = first - g.a[0];
  for (int p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(BLOCK, BLOCK);
  const float first = g.a[0];  // here
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g, first);
}
