// Managed memory that the host fills and a kernel reads; a warp function on the lanes of a branch; a lock.
#include "lab/gemm.h"

__global__ void gemm(lab::Gemm<float> g, const int* order, int* lock) {
  const int64_t cells = g.m * g.n;
  for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < cells; i += int64_t{gridDim.x} * blockDim.x) {
    const int64_t row = i / g.n, column = i % g.n;
    float sum = 0;
    if (i % 2 == 0) {
      const unsigned here = __activemask();
      // The leader's value reaches every lane of the branch, and only those.
      const unsigned lane = threadIdx.x % warpSize, leader = __ffs(here) - 1;
      if (__shfl_sync(here, lane, leader) != leader || !(here >> lane & 1)) sum = 1e6f;
    }
    for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + column] * order[0];
    lab::update(g.c[row * g.ldc + column], sum, g.alpha, g.beta);
  }
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) __nanosleep(100);
    __threadfence();
    atomicExch(lock, 0);
  }
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  static int* shared = [] {
    int* p = nullptr;
    cudaMallocManaged(&p, 2 * sizeof(int));
    p[0] = 1;
    p[1] = 0;
    return p;
  }();
  gemm<<<64, 128, 0, stream>>>(g, shared, shared + 1);
}
