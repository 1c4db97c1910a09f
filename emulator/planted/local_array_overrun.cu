// Each thread keeps its row of A in an array of its own, and another function takes a wrong distance between the elements.
// Finds: local_bounds
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif
#define STEP 16

__device__ __noinline__ float sum_of(const float* mine, const lab::Gemm<float>& g, int64_t first, int count, int col, int distance) {
  float sum = 0;
  for (int p = 0; p < count; ++p)
    sum += mine[p * distance] *  // here
           g.b[(first + p) * g.ldb + col];
  return sum;
}

__global__ void gemm(lab::Gemm<float> g) {
  const int col = blockIdx.x * BLOCK + threadIdx.x, row = blockIdx.y * BLOCK + threadIdx.y;
  if (row >= g.m || col >= g.n) return;
  float mine[STEP], sum = 0;
  for (int64_t first = 0; first < g.k; first += STEP) {
    const int count = g.k - first < STEP ? g.k - first : STEP;
    for (int p = 0; p < count; ++p) mine[p] = g.a[row * g.lda + first + p];
    sum += sum_of(mine, g, first, count, col, 64 * STEP);
  }
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(BLOCK, BLOCK);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
