// Its kernel calls memmove: GPUs have memcpy, but not memmove.
// Caught as: COMPILE_ERROR
#include <cstring>

#include "lab/gemm.h"

__global__ void gemm(lab::Gemm<float> g) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= g.m || col >= g.n) return;
  float sum = 0, a = 0;
  for (int p = 0; p < g.k; ++p) {
    memmove(&a, g.a + row * g.lda + p, sizeof a);
    sum += a * g.b[p * g.ldb + col];
  }
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(16, 16);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
