// Each thread uses the element of its right neighbour, but the last one has no neighbour.
// Finds: shared_bounds
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif

__global__ void gemm(lab::Gemm<float> g) {
  __shared__ float line[BLOCK];
  const int64_t col = blockIdx.x * BLOCK + threadIdx.x, row = blockIdx.y;
  line[threadIdx.x] = 0;
  __syncthreads();
  float sum = line[threadIdx.x + 1];  // here
  if (row >= g.m || col >= g.n) return;
  for (int p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(BLOCK, 1);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
