// One thread clears the partial sums with memset, and the others add to them without a barrier between.
// Finds: race_shared
#include <cstring>

#include "lab/gemm.h"

__global__ void gemm(lab::Gemm<float> g, int threads) {
  __shared__ float part[128];
  const int64_t row = blockIdx.y, col = blockIdx.x;
  if (threadIdx.x == 0) memset(part, 0, threads * sizeof(float));  // here
  for (int64_t p = threadIdx.x; p < g.k; p += threads) part[threadIdx.x] += g.a[row * g.lda + p] * g.b[p * g.ldb + col];  // here
  __syncthreads();
  if (threadIdx.x > 0) return;
  float sum = 0;
  for (int i = 0; i < threads; ++i) sum += part[i];
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  gemm<<<dim3(static_cast<unsigned>(g.n), static_cast<unsigned>(g.m)), 128, 0, stream>>>(g, 128);
}
