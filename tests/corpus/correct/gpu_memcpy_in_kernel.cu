// memset and memcpy in a kernel, and file-scope dynamic shared memory with an alignment.
#include <cstring>

#include "lab/gemm.h"

constexpr int steps = 32;
extern __shared__ __align__(128) float staged[];

__global__ void gemm(lab::Gemm<float> g) {
  __shared__ alignas(256) float zeros[steps];
  if (reinterpret_cast<uintptr_t>(zeros) % 256 != 0 || reinterpret_cast<uintptr_t>(staged) % 128 != 0) return;
  const int64_t row = blockIdx.y, column = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  float sum = 0;
  for (int64_t from = 0; from < g.k; from += steps) {
    const int64_t here = g.k - from < steps ? g.k - from : steps;
    if (threadIdx.x == 0) {
      memset(zeros, 0, sizeof zeros);
      memcpy(staged, zeros, sizeof zeros);
      memcpy(staged, g.a + row * g.lda + from, here * sizeof(float));
    }
    __syncthreads();
    for (int p = 0; p < here; ++p)
      if (column < g.n) sum += staged[p] * g.b[(from + p) * g.ldb + column];
    __syncthreads();
  }
  if (column < g.n) lab::update(g.c[row * g.ldc + column], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const int threads = 64;
  gemm<<<dim3(lab::blocks_for(g.n, threads), static_cast<unsigned>(g.m)), threads, steps * sizeof(float), stream>>>(g);
}
