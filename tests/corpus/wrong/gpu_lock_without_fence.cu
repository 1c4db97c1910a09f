// The first threads of two warps count under a lock, but call no __threadfence().
// Finds: race_shared
#include "lab/gemm.h"

constexpr int threads = 64;

__global__ void gemm(lab::Gemm<float> g) {
  const int64_t row = blockIdx.y, col = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  __shared__ int lock, counter;
  if (threadIdx.x == 0) lock = counter = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    counter = counter + 1;
    atomicExch(&lock, 0);
  }
  __syncthreads();
  if (col >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  lab::update(g.c[row * g.ldc + col], counter == threads / 32 ? sum : 0, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  gemm<<<dim3(lab::blocks_for(g.n, threads), static_cast<unsigned>(g.m)), threads, 0, stream>>>(g);
}
