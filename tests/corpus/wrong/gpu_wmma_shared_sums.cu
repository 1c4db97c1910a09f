// Two warps have half of k each and keep their sums, as fragments, in shared memory. The first adds up both without a barrier.
// Finds: race_shared
#include <mma.h>

#include "lab/gemm.h"

LAB_NEEDS(wmma);
LAB_PRECISION(tf32);

namespace wmma = nvcuda::wmma;
constexpr int side = 16, step = 8, warps = 2;
using Sum = wmma::fragment<wmma::accumulator, side, side, step, float>;

__global__ void gemm(lab::Gemm<float> g) {
  __shared__ alignas(32) float a[warps][side][step], b[warps][step][side], c[side][side];
  __shared__ Sum sums[warps][32];
  const int64_t top = int64_t{blockIdx.y} * side, left = int64_t{blockIdx.x} * side;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  wmma::fragment<wmma::matrix_a, side, side, step, wmma::precision::tf32, wmma::row_major> left_part;
  wmma::fragment<wmma::matrix_b, side, side, step, wmma::precision::tf32, wmma::row_major> right_part;
  Sum& own = sums[warp][lane];
  wmma::fill_fragment(own, 0.0f);
  for (int64_t p = warp * step; p < g.k; p += warps * step) {
    for (int i = lane; i < side * step; i += 32) {
      const int64_t row = top + i / step, of_a = p + i % step, of_b = p + i / side, col = left + i % side;
      a[warp][i / step][i % step] = wmma::__float_to_tf32(row < g.m && of_a < g.k ? g.a[row * g.lda + of_a] : 0.0f);
      b[warp][i / side][i % side] = wmma::__float_to_tf32(of_b < g.k && col < g.n ? g.b[of_b * g.ldb + col] : 0.0f);
    }
    __syncwarp();
    wmma::load_matrix_sync(left_part, &a[warp][0][0], step);
    wmma::load_matrix_sync(right_part, &b[warp][0][0], side);
    wmma::mma_sync(own, left_part, right_part, own);
    __syncwarp();
  }
  if (warp == 0) {
    wmma::fill_fragment(left_part, 0.0f);
    wmma::mma_sync(own, left_part, right_part, sums[1][lane]);  // here: what the other warp writes
    wmma::store_matrix_sync(&c[0][0], own, side, wmma::mem_row_major);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < side * side; i += warps * 32) {
    const int64_t row = top + i / side, col = left + i % side;
    if (row < g.m && col < g.n) lab::update(g.c[row * g.ldc + col], c[i / side][i % side], g.alpha, g.beta);
  }
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  gemm<<<lab::grid_for(g.n, g.m, dim3(side, side)), warps * 32, 0, stream>>>(g);
}
