// Has at most 64 blocks of 16 in each direction.
// Caught as: WRONG
#include "lab/gemm.h"

__global__ void gemm(lab::Gemm<float> g) {
  const int64_t row = blockIdx.y * int64_t{blockDim.y} + threadIdx.y, column = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (row >= g.m || column >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + column];
  lab::update(g.c[row * g.ldc + column], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(16, 16), whole = lab::grid_for(g.n, g.m, block);
  const dim3 grid(whole.x < 64 ? whole.x : 64, whole.y < 64 ? whole.y : 64);
  gemm<<<grid, block, 0, stream>>>(g);
}
