// Cooperative groups: a tile of 16 threads for each cell, its partial sums added with reduce().
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "lab/gemm.h"

namespace cg = cooperative_groups;

__global__ void gemm(lab::Gemm<float> g) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  const int64_t tiles = gridDim.x * static_cast<int64_t>(tile.meta_group_size());
  for (int64_t cell = blockIdx.x * static_cast<int64_t>(tile.meta_group_size()) + tile.meta_group_rank(); cell < g.m * g.n;
       cell += tiles) {
    const int64_t row = cell / g.n, column = cell % g.n;
    float sum = 0;
    for (int64_t p = tile.thread_rank(); p < g.k; p += tile.size())
      sum += g.a[row * g.lda + p] * g.b[p * g.ldb + column];
    sum = cg::reduce(tile, sum, cg::plus<float>());
    cg::invoke_one(tile, [&] { lab::update(g.c[row * g.ldc + column], sum, g.alpha, g.beta); });
  }
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { gemm<<<64, 128, 0, stream>>>(g); }
