// Four blocks add to an element with a function that is atomic for the threads of one block only.
// Finds: race_blocks
#include "lab/gemm.h"

constexpr int side = 16, pieces = 4;

__global__ void scale(lab::Gemm<float> g) {
  const int64_t row = int64_t{blockIdx.y} * side + threadIdx.y, col = int64_t{blockIdx.x} * side + threadIdx.x;
  if (row < g.m && col < g.n) g.c[row * g.ldc + col] = g.beta == 0 ? 0 : g.beta * g.c[row * g.ldc + col];
}

__global__ void gemm(lab::Gemm<float> g) {
  const int64_t row = int64_t{blockIdx.y} * side + threadIdx.y, col = int64_t{blockIdx.x} * side + threadIdx.x;
  if (row >= g.m || col >= g.n) return;
  float sum = 0;
  for (int64_t p = blockIdx.z; p < g.k; p += pieces) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  atomicAdd_block(&g.c[row * g.ldc + col], g.alpha * sum);  // here
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 blocks((g.n + side - 1) / side, (g.m + side - 1) / side);
  scale<<<blocks, dim3(side, side), 0, stream>>>(g);
  gemm<<<dim3(blocks.x, blocks.y, pieces), dim3(side, side), 0, stream>>>(g);
}
