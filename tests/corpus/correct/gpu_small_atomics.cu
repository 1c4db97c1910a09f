// Atomic sums of two bytes beside plain stores to the other half of the word, and a block that arrives and waits later.
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "lab/gemm.h"

constexpr int threads = 64;

__global__ void gemm(lab::Gemm<float> g) {
  __shared__ __half half[2];
  __shared__ __nv_bfloat16 one;
  const auto block = cooperative_groups::this_thread_block();
  if (threadIdx.x == 0) {
    half[0] = __float2half(0.0f);
    one = __float2bfloat16(0.0f);
  }
  auto token = block.barrier_arrive();
  const int64_t cell = int64_t{blockIdx.x} * threads + threadIdx.x, row = cell / g.n, column = cell % g.n;
  float sum = 0;
  if (cell < g.m * g.n)
    for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + column];
  block.barrier_wait(std::move(token));
  if (threadIdx.x == 0) half[1] = __float2half(erfinvf(0.0f));
  if (threadIdx.x == 1) atomicAdd(&half[0], __float2half(1.0f));
  if (threadIdx.x % 32 == 0) atomicAdd(&one, __float2bfloat16(0.5f));
  __syncthreads();
  const float factor = __half2float(half[0]) * __bfloat162float(one) + __half2float(half[1]);
  if (cell < g.m * g.n) lab::update(g.c[row * g.ldc + column], factor * sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  gemm<<<static_cast<unsigned>((g.m * g.n + threads - 1) / threads), threads, 0, stream>>>(g);
}
