// Copies a factor to a __constant__ variable on a stream of its own, and the kernel does not wait for the copy.
// Finds: side_stream
#include "lab/gemm.h"

constexpr int side = 16;
__constant__ float alpha;

__global__ void gemm(lab::Gemm<float> g) {
  const int64_t row = int64_t{blockIdx.y} * side + threadIdx.y, column = int64_t{blockIdx.x} * side + threadIdx.x;
  if (row >= g.m || column >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + column];
  lab::update(g.c[row * g.ldc + column], sum, alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  static cudaStream_t other = [] {
    cudaStream_t made;
    cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking);
    return made;
  }();
  const float value = static_cast<float>(g.alpha);
  cudaMemcpyToSymbolAsync(alpha, &value, sizeof value, 0, cudaMemcpyHostToDevice, other);  // here
  gemm<<<lab::grid_for(g.n, g.m, dim3(side, side)), dim3(side, side), 0, stream>>>(g);
}
