// Two pipelines, one after the other, share the tiles: the first has two stages for the even tiles of k, the second one stage for
// the odd ones. The first batch needs no producer_acquire(), because all stages are free.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "lab/gemm.h"

constexpr int side = 16;

struct Tiles {
  float a[side][side], b[side][side];
};

template <class Pipeline>
__device__ float every_second_tile(const lab::Gemm<float>& g, Pipeline& pipe, Tiles* tiles, int stages, int64_t first) {
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int64_t i = int64_t{blockIdx.y} * side + y, j = int64_t{blockIdx.x} * side + x;
  const int64_t count = (g.k + side - 1) / side;
  float sum = 0;
  int64_t fetched = first;
  for (int64_t t = first; t < count; t += 2) {
    for (; fetched < count && fetched < t + 2 * stages; fetched += 2) {
      if (fetched > first) pipe.producer_acquire();
      Tiles& to = tiles[fetched / 2 % stages];
      const int64_t p = fetched * side;
      to.a[y][x] = to.b[y][x] = 0;
      if (i < g.m && p + x < g.k) cuda::memcpy_async(&to.a[y][x], g.a + i * g.lda + p + x, sizeof(float), pipe);
      if (j < g.n && p + y < g.k) cuda::memcpy_async(&to.b[y][x], g.b + (p + y) * g.ldb + j, sizeof(float), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    const Tiles& from = tiles[t / 2 % stages];
    for (int q = 0; q < side; ++q) sum += from.a[y][q] * from.b[q][x];
    pipe.consumer_release();
  }
  return sum;
}

__global__ void tiles(lab::Gemm<float> g) {
  constexpr auto block = cuda::thread_scope_block;
  __shared__ Tiles shared[2];
  __shared__ cuda::pipeline_shared_state<block, 2> two;
  __shared__ cuda::pipeline_shared_state<block, 1> one;
  auto even = cuda::make_pipeline(cooperative_groups::this_thread_block(), &two);
  float sum = every_second_tile(g, even, shared, 2, 0);
  auto odd = cuda::make_pipeline(cooperative_groups::this_thread_block(), &one);
  sum += every_second_tile(g, odd, shared, 1, 1);
  const int64_t i = int64_t{blockIdx.y} * side + threadIdx.y, j = int64_t{blockIdx.x} * side + threadIdx.x;
  if (i < g.m && j < g.n) lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 grid((g.n + side - 1) / side, (g.m + side - 1) / side), block(side, side);
  tiles<<<grid, block, 0, stream>>>(g);
}
