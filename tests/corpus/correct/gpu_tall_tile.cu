// A tile of 16 x 8 in shared memory, with sums from the last tile to the first.
#include "lab/gemm.h"

constexpr int wide = 8, tall = 16, deep = 4;

__global__ void gemm(lab::Gemm<float> g) {
  __shared__ float a[tall][deep], b[deep][wide];
  const int x = threadIdx.x, y = threadIdx.y;
  const int64_t row = blockIdx.y * int64_t{tall} + y, col = blockIdx.x * int64_t{wide} + x;
  float sum = 0;
  for (int64_t tile = (g.k - 1) / deep; tile >= 0; --tile) {
    const int64_t from = tile * deep;
    if (x < deep) a[y][x] = row < g.m && from + x < g.k ? g.a[row * g.lda + from + x] : 0;
    if (y < deep) b[y][x] = col < g.n && from + y < g.k ? g.b[(from + y) * g.ldb + col] : 0;
    __syncthreads();
    for (int p = 0; p < deep; ++p) sum += a[y][p] * b[p][x];
    __syncthreads();
  }
  if (row < g.m && col < g.n) lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(wide, tall);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
