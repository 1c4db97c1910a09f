// Lambdas of each kind use shared memory, which is static and needs no capture.
#include "lab/gemm.h"

constexpr int tile = 16;
extern __shared__ float columns[];

__global__ void gemm(lab::Gemm<float> g) {
  __shared__ float rows[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int64_t row = blockIdx.y * int64_t{tile} + y, col = blockIdx.x * int64_t{tile} + x;
  const auto a = [=](int q) { return rows[y][q]; };
  const auto b = [x](int q) { return columns[q * tile + x]; };
  const auto store = [](int to_y, int to_x, float of_a, float of_b) {
    rows[to_y][to_x] = of_a;
    columns[to_y * tile + to_x] = of_b;
  };
  float sum = 0;
  for (int64_t p = 0; p < g.k; p += tile) {
    store(y, x, row < g.m && p + x < g.k ? g.a[row * g.lda + p + x] : 0, p + y < g.k && col < g.n ? g.b[(p + y) * g.ldb + col] : 0);
    __syncthreads();
    for (int q = 0; q < tile; ++q) sum += a(q) * b(q);
    __syncthreads();
  }
  if (row < g.m && col < g.n) lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(tile, tile);
  gemm<<<lab::grid_for(g.n, g.m, block), block, tile * tile * sizeof(float), stream>>>(g);
}
