// Reads what others add to with a loop around atomicCAS, and writes it elsewhere, without a barrier.
// Finds: race_shared
#include "lab/gemm.h"

__device__ void add(float* address, float value) {
  int* bits = reinterpret_cast<int*>(address);
  int old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(value + __int_as_float(assumed)));  // here
  } while (assumed != old);
}

__global__ void gemm(lab::Gemm<float> g) {
  __shared__ float sum;
  const int64_t col = blockIdx.x, row = blockIdx.y;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  for (int64_t p = threadIdx.x; p < g.k; p += blockDim.x) add(&sum, g.a[row * g.lda + p] * g.b[p * g.ldb + col]);
  if (threadIdx.x == 0) lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);  // here
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  gemm<<<dim3(static_cast<unsigned>(g.n), static_cast<unsigned>(g.m)), 64, 0, stream>>>(g);
}
