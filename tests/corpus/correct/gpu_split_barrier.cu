// Two stages of tiles with a barrier each: while the block computes with one stage, the asynchronous copies of the next one run. A
// thread arrives at the barrier of a stage when it has requested its copies, and waits for it one step later.
#include <utility>

#include <cuda/barrier>
#include <cuda/std/chrono>

#include "lab/gemm.h"

constexpr int side = 16, stages = 2;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void tiles(lab::Gemm<float> g) {
  __shared__ float a[stages][side][side], b[stages][side][side];
  __shared__ Barrier copied[stages], used;
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int64_t i = int64_t{blockIdx.y} * side + y, j = int64_t{blockIdx.x} * side + x, all = (g.k + side - 1) / side;
  if (x + y == 0) {
    for (Barrier& of_stage : copied) init(&of_stage, side * side);
    init(&used, side * side);
  }
  __syncthreads();
  const auto fetch = [&](int64_t t) {
    const int64_t s = t % stages, p = t * side;
    a[s][y][x] = b[s][y][x] = 0;
    if (i < g.m && p + x < g.k) cuda::memcpy_async(&a[s][y][x], g.a + i * g.lda + p + x, sizeof(float), copied[s]);
    if (j < g.n && p + y < g.k) cuda::memcpy_async(&b[s][y][x], g.b + (p + y) * g.ldb + j, sizeof(float), copied[s]);
    return copied[s].arrive();
  };
  Barrier::arrival_token token = fetch(0);
  float sum = 0;
  for (int64_t t = 0; t < all; ++t) {
    Barrier::arrival_token next = fetch(t + 1);  // the last one copies nothing
    while (!copied[t % stages].try_wait_for(std::move(token), cuda::std::chrono::nanoseconds(100))) {
    }
    token = next;
    for (int q = 0; q < side; ++q) sum += a[t % stages][y][q] * b[t % stages][q][x];
    (void)used.arrive();
    used.wait_parity(t % 2 == 1);
  }
  if (i < g.m && j < g.n) lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  tiles<<<dim3((g.n + side - 1) / side, (g.m + side - 1) / side), dim3(side, side), 0, stream>>>(g);
}
