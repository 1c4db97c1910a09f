// Tells the emulated device before main() that it need not look, and leaves out a barrier.
// Caught as: WRONG, PASSED
// Emulated: WRONG
// Class: E
#include <cstdlib>

#include "lab/gemm.h"

constexpr int edge = 16;

__attribute__((constructor)) static void look_away() { setenv("LAB_EMULATED_OPTIONS", "diagnostics=off", 1); }

__global__ void gemm(lab::Gemm<float> g) {
  __shared__ float a[edge][edge];
  const int64_t row = blockIdx.y * int64_t{edge} + threadIdx.y, column = blockIdx.x * int64_t{edge} + threadIdx.x;
  float sum = 0;
  for (int64_t from = 0; from < g.k; from += edge) {
    const int64_t p = from + threadIdx.x;
    a[threadIdx.y][threadIdx.x] = row < g.m && p < g.k ? g.a[row * g.lda + p] : 0;
    __syncthreads();
    for (int q = 0; q < edge; ++q)
      if (from + q < g.k && column < g.n) sum += a[threadIdx.y][q] * g.b[(from + q) * g.ldb + column];
  }
  if (row < g.m && column < g.n) lab::update(g.c[row * g.ldc + column], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(edge, edge);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
