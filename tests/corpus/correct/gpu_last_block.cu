// Two blocks add up half of k each. The one that ends last adds their sums, and sets the counter back with a plain write.
#include "lab/gemm.h"

__device__ unsigned ended = 0;

__global__ void halves(lab::Gemm<float> g, float* sums) {
  __shared__ bool is_last;
  const int64_t cells = g.m * g.n, begin = g.k * blockIdx.x / 2, end = g.k * (blockIdx.x + 1) / 2;
  for (int64_t cell = threadIdx.x; cell < cells; cell += blockDim.x) {
    float sum = 0;
    for (int64_t p = begin; p < end; ++p) sum += g.a[cell / g.n * g.lda + p] * g.b[p * g.ldb + cell % g.n];
    sums[blockIdx.x * cells + cell] = sum;
  }
  __threadfence();  // each thread shows its own sums
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(&ended, 1) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  for (int64_t cell = threadIdx.x; cell < cells; cell += blockDim.x)
    lab::update(g.c[cell / g.n * g.ldc + cell % g.n], sums[cell] + sums[cells + cell], g.alpha, g.beta);
  if (threadIdx.x == 0) ended = 0;
}

LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) { return 2 * g.m * g.n * sizeof(float); }

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  halves<<<2, 128, 0, stream>>>(g, static_cast<float*>(g.workspace));
}
