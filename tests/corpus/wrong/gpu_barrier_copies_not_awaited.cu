// Each thread arrives at the barrier of its asynchronous copies, but nobody waits for it: __syncthreads() does not wait for copies.
// Finds: copy_pending
#include <cuda/barrier>

#include "lab/gemm.h"

constexpr int side = 16;

__global__ void tiles(lab::Gemm<float> g) {
  __shared__ float a[side][side], b[side][side];
  __shared__ cuda::barrier<cuda::thread_scope_block> copied;
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int64_t i = int64_t{blockIdx.y} * side + y, j = int64_t{blockIdx.x} * side + x;
  if (x + y == 0) init(&copied, side * side);
  __syncthreads();
  float sum = 0;
  for (int64_t p = 0; p < g.k; p += side) {
    a[y][x] = b[y][x] = 0;
    if (i < g.m && p + x < g.k) cuda::memcpy_async(&a[y][x], g.a + i * g.lda + p + x, sizeof(float), copied);
    if (j < g.n && p + y < g.k) cuda::memcpy_async(&b[y][x], g.b + (p + y) * g.ldb + j, sizeof(float), copied);
    (void)copied.arrive();
    __syncthreads();
    for (int q = 0; q < side; ++q) sum += a[y][q] * b[q][x];
    __syncthreads();
  }
  if (i < g.m && j < g.n) lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  tiles<<<dim3((g.n + side - 1) / side, (g.m + side - 1) / side), dim3(side, side), 0, stream>>>(g);
}
