// All threads of the grid meet, but the kernel is launched like any other: blocks that wait may keep others from starting.
// Finds: grid_launch
#include <cooperative_groups.h>

#include "lab/gemm.h"

__global__ void gemm(lab::Gemm<float> g) {
  const auto grid = cooperative_groups::this_grid();
  const int64_t cells = g.m * g.n, threads = int64_t{gridDim.x} * blockDim.x, me = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (int64_t i = me; i < cells; i += threads) lab::update(g.c[i / g.n * g.ldc + i % g.n], 0.0f, g.alpha, g.beta);
  grid.sync();  // here
  for (int64_t i = threads - 1 - me; i < cells; i += threads) {
    const int64_t row = i / g.n, column = i % g.n;
    float sum = 0;
    for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + column];
    g.c[row * g.ldc + column] += g.alpha * sum;
  }
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { gemm<<<8, 128, 0, stream>>>(g); }
