// Each thread reads a local variable of another one through a pointer in shared memory.
// Finds: local_bounds
#include "lab/gemm.h"

constexpr int threads = 64;

__global__ void gemm(lab::Gemm<float> g) {
  const int64_t row = blockIdx.y, col = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  __shared__ float* ones[threads];
  float mine[2] = {1, static_cast<float>(threadIdx.x)};
  ones[threadIdx.x] = mine;
  __syncthreads();
  const float other = ones[threads - 1 - threadIdx.x][0];
  __syncthreads();
  if (col >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  lab::update(g.c[row * g.ldc + col], other * mine[0] * sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  gemm<<<dim3(lab::blocks_for(g.n, threads), static_cast<unsigned>(g.m)), threads, 0, stream>>>(g);
}
