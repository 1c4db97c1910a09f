// Never calls consumer_release(): when all stages of its pipeline are full, a GPU waits for ever.
// Finds: endless
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "lab/gemm.h"

constexpr int side = 16, stages = 3;

__global__ void tiles(lab::Gemm<float> g) {
  __shared__ float a[stages][side][side], b[stages][side][side];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int64_t i = int64_t{blockIdx.y} * side + y, j = int64_t{blockIdx.x} * side + x, all = (g.k + side - 1) / side;
  const auto copy = [&](float* to, const float* from, bool inside) {
    if (inside)
      cuda::memcpy_async(to, from, sizeof(float), pipe);
    else
      *to = 0;
  };
  const auto fetch = [&](int64_t t) {
    pipe.producer_acquire();
    const int64_t s = t % stages, p = t * side;
    copy(&a[s][y][x], g.a + i * g.lda + p + x, i < g.m && p + x < g.k);
    copy(&b[s][y][x], g.b + (p + y) * g.ldb + j, j < g.n && p + y < g.k);
    pipe.producer_commit();
  };
  for (int64_t t = 0; t < stages - 1; ++t) fetch(t);
  float sum = 0;
  for (int64_t t = 0; t < all; ++t) {
    fetch(t + stages - 1);
    pipe.consumer_wait();
    for (int q = 0; q < side; ++q) sum += a[t % stages][y][q] * b[t % stages][q][x];
  }
  if (i < g.m && j < g.n) lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 grid((g.n + side - 1) / side, (g.m + side - 1) / side), block(side, side);
  tiles<<<grid, block, 0, stream>>>(g);
}
