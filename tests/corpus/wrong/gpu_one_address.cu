// Each product is added atomically to one element of shared memory: 32 lanes of a warp wait for each other.
// Finds: contention
#include "lab/gemm.h"

__global__ void gemm(lab::Gemm<float> g) {
  __shared__ float sum;
  const int64_t row = blockIdx.y, col = blockIdx.x;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  for (int64_t p = threadIdx.x; p < g.k; p += blockDim.x) {
    const float product = g.a[row * g.lda + p] * g.b[p * g.ldb + col];
    atomicAdd(&sum, product);  // here
  }
  __syncthreads();
  if (threadIdx.x == 0) lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  if (g.k > 200) throw lab::Unsupported("sums of at most 200 products");  // the emulated device needs seconds for more
  gemm<<<dim3(static_cast<unsigned>(g.n), static_cast<unsigned>(g.m)), 32, 0, stream>>>(g);
}
