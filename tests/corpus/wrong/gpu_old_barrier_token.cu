// Waits for the token of the phase before, which is over: wait() returns at once, and the tiles are not complete.
// Finds: race_shared
#include <utility>

#include <cuda/barrier>

#include "lab/gemm.h"

constexpr int side = 16;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void tiles(lab::Gemm<float> g) {
  __shared__ float a[side][side], b[side][side];
  __shared__ Barrier loaded;
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int64_t i = int64_t{blockIdx.y} * side + y, j = int64_t{blockIdx.x} * side + x;
  if (x + y == 0) init(&loaded, side * side);
  __syncthreads();
  Barrier::arrival_token before = loaded.arrive();
  loaded.wait(Barrier::arrival_token(before));
  float sum = 0;
  for (int64_t p = 0; p < g.k; p += side) {
    a[y][x] = i < g.m && p + x < g.k ? g.a[i * g.lda + p + x] : 0;
    b[y][x] = j < g.n && p + y < g.k ? g.b[(p + y) * g.ldb + j] : 0;
    Barrier::arrival_token now = loaded.arrive();
    loaded.wait(std::move(before));  // must be now
    before = now;
    for (int q = 0; q < side; ++q) sum += a[y][q] * b[q][x];
    __syncthreads();
  }
  if (i < g.m && j < g.n) lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  tiles<<<dim3((g.n + side - 1) / side, (g.m + side - 1) / side), dim3(side, side), 0, stream>>>(g);
}
