// A cuda::barrier expects one thread more than the block has: all threads wait for ever.
// Finds: barrier_arrivals
#include <cuda/barrier>

#include "lab/gemm.h"

constexpr int width = 64, piece = 128;

__global__ void rows(lab::Gemm<float> g) {
  __shared__ float row[piece];
  __shared__ cuda::barrier<cuda::thread_scope_block> loaded;
  if (threadIdx.x == 0) init(&loaded, width + 1);
  __syncthreads();
  const int64_t i = blockIdx.y, j = int64_t{blockIdx.x} * width + threadIdx.x;
  float sum = 0;
  for (int64_t first = 0; first < g.k; first += piece) {
    const int steps = g.k - first < piece ? static_cast<int>(g.k - first) : piece;
    for (int q = static_cast<int>(threadIdx.x); q < steps; q += width) row[q] = g.a[i * g.lda + first + q];
    loaded.arrive_and_wait();
    if (j < g.n)
      for (int q = 0; q < steps; ++q) sum += row[q] * g.b[(first + q) * g.ldb + j];
    __syncthreads();
  }
  if (j < g.n) lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  rows<<<dim3((g.n + width - 1) / width, g.m), width, 0, stream>>>(g);
}
