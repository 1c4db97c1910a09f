// Its fragments of A and B hold float. Tensor cores multiply no float: it has to become TF32.
// Caught as: COMPILE_ERROR
#include <mma.h>

#include "lab/gemm.h"

LAB_NEEDS(wmma);

namespace wmma = nvcuda::wmma;
constexpr int side = 16, step = 8;

__global__ void gemm(lab::Gemm<float> g) {
  __shared__ alignas(32) float a[side][step], b[step][side], c[side][side];
  const int64_t top = int64_t{blockIdx.y} * side, left = int64_t{blockIdx.x} * side;
  wmma::fragment<wmma::accumulator, side, side, step, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int64_t p = 0; p < g.k; p += step) {
    for (int i = threadIdx.x; i < side * step; i += 32) {
      const int64_t row = top + i / step, of_a = p + i % step, of_b = p + i / side, col = left + i % side;
      a[i / step][i % step] = (row < g.m && of_a < g.k ? g.a[row * g.lda + of_a] : 0.0f);
      b[i / side][i % side] = (of_b < g.k && col < g.n ? g.b[of_b * g.ldb + col] : 0.0f);
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, side, side, step, float, wmma::row_major> left_part;  // here
    wmma::fragment<wmma::matrix_b, side, side, step, float, wmma::row_major> right_part;
    wmma::load_matrix_sync(left_part, &a[0][0], step);
    wmma::load_matrix_sync(right_part, &b[0][0], side);
    wmma::mma_sync(sum, left_part, right_part, sum);
    __syncwarp();
  }
  wmma::store_matrix_sync(&c[0][0], sum, side, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x; i < side * side; i += 32) {
    const int64_t row = top + i / side, col = left + i % side;
    if (row < g.m && col < g.n) lab::update(g.c[row * g.ldc + col], c[i / side][i % side], g.alpha, g.beta);
  }
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  gemm<<<lab::grid_for(g.n, g.m, dim3(side, side)), 32, 0, stream>>>(g);
}
