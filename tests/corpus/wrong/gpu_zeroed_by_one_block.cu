// The first of four blocks that add to an element clears it, but the others may have added already.
// Finds: race_blocks
#include "lab/gemm.h"

constexpr int side = 16, pieces = 4;

__global__ void gemm(lab::Gemm<float> g) {
  const int64_t row = int64_t{blockIdx.y} * side + threadIdx.y, col = int64_t{blockIdx.x} * side + threadIdx.x;
  const int piece = blockIdx.z;
  const bool inside = row < g.m && col < g.n;
  if (piece == 0 && inside) g.c[row * g.ldc + col] = g.beta == 0 ? 0 : g.beta * g.c[row * g.ldc + col];  // here
  __syncthreads();
  float sum = 0;
  if (inside)
    for (int64_t p = g.k * piece / pieces; p < g.k * (piece + 1) / pieces; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  if (inside) atomicAdd(&g.c[row * g.ldc + col], g.alpha * sum);  // here
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 grid(static_cast<unsigned>((g.n + side - 1) / side), static_cast<unsigned>((g.m + side - 1) / side), pieces);
  gemm<<<grid, dim3(side, side), 0, stream>>>(g);
}
