// Rows of A come to shared memory in asynchronous copies, and a cuda::barrier says when they are there.
#include <cooperative_groups.h>
#include <cuda/barrier>

#include "lab/gemm.h"

constexpr int steps = 64;
extern __shared__ float row_of_a[];

__global__ void gemm(lab::Gemm<float> g) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ Barrier barrier;
  const auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  const int64_t row = blockIdx.y, column = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  float sum = 0;
  for (int64_t from = 0; from < g.k; from += steps) {
    const int64_t here = g.k - from < steps ? g.k - from : steps;
    cuda::memcpy_async(block, row_of_a, g.a + row * g.lda + from, here * sizeof(float), barrier);
    barrier.arrive_and_wait();
    for (int64_t p = 0; p < here; ++p)
      if (column < g.n) sum += row_of_a[p] * g.b[(from + p) * g.ldb + column];
    block.sync();
  }
  if (column < g.n) lab::update(g.c[row * g.ldc + column], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const int threads = 64;
  gemm<<<dim3(lab::blocks_for(g.n, threads), static_cast<unsigned>(g.m)), threads, steps * sizeof(float), stream>>>(g);
}
