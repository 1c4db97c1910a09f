// Takes element i of a lane for number 32 * i + lane of the tile. CUDA does not say which lane holds which element of a fragment.
// Caught as: WRONG
#include <mma.h>

#include "lab/gemm.h"

LAB_NEEDS(wmma);
LAB_PRECISION(tf32);

namespace wmma = nvcuda::wmma;
constexpr int side = 16, step = 8;

__global__ void gemm(lab::Gemm<float> g) {
  __shared__ alignas(32) float a[side][step], b[step][side];
  const int64_t top = int64_t{blockIdx.y} * side, left = int64_t{blockIdx.x} * side;
  wmma::fragment<wmma::accumulator, side, side, step, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int64_t p = 0; p < g.k; p += step) {
    for (int i = threadIdx.x; i < side * step; i += 32) {
      const int64_t row = top + i / step, of_a = p + i % step, of_b = p + i / side, col = left + i % side;
      a[i / step][i % step] = wmma::__float_to_tf32(row < g.m && of_a < g.k ? g.a[row * g.lda + of_a] : 0.0f);
      b[i / side][i % side] = wmma::__float_to_tf32(of_b < g.k && col < g.n ? g.b[of_b * g.ldb + col] : 0.0f);
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, side, side, step, wmma::precision::tf32, wmma::row_major> left_part;
    wmma::fragment<wmma::matrix_b, side, side, step, wmma::precision::tf32, wmma::row_major> right_part;
    wmma::load_matrix_sync(left_part, &a[0][0], step);
    wmma::load_matrix_sync(right_part, &b[0][0], side);
    wmma::mma_sync(sum, left_part, right_part, sum);
    __syncwarp();
  }
  for (int i = 0; i < sum.num_elements; ++i) {
    const int64_t at = 32 * i + threadIdx.x, row = top + at / side, col = left + at % side;  // here
    if (row < g.m && col < g.n) lab::update(g.c[row * g.ldc + col], sum.x[i], g.alpha, g.beta);
  }
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  gemm<<<lab::grid_for(g.n, g.m, dim3(side, side)), 32, 0, stream>>>(g);
}
