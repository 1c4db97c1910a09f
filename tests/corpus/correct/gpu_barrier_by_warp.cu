// One warp loads the next row of B while the other adds the last one. Each warp has a __syncthreads() of its own: GPUs count
// the warps that arrive, wherever they wait.
#include "lab/gemm.h"

constexpr int WARP = 32;

__global__ void gemm(lab::Gemm<float> g) {
  __shared__ float row_of_b[2][WARP];
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  const int64_t row = blockIdx.y, column = int64_t{blockIdx.x} * WARP + lane;
  float sum = 0;
  if (warp == 0) {
    for (int64_t p = 0; p < g.k; ++p) {
      row_of_b[p % 2][lane] = column < g.n ? g.b[p * g.ldb + column] : 0;
      __syncthreads();
    }
  } else {
    for (int64_t p = 0; p < g.k; ++p) {
      __syncthreads();
      sum += g.a[row * g.lda + p] * row_of_b[p % 2][lane];
    }
    if (column < g.n) lab::update(g.c[row * g.ldc + column], sum, g.alpha, g.beta);
  }
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  gemm<<<dim3((g.n + WARP - 1) / WARP, g.m), 2 * WARP, 0, stream>>>(g);
}
