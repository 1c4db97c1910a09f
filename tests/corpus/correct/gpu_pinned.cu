// Kernels read alpha and beta from pinned memory of the host, which they can reach (unified addressing).
#include "lab/gemm.h"

__global__ void gemm(lab::Gemm<float> g, const float* scalars) {
  const int64_t row = blockIdx.y * int64_t{blockDim.y} + threadIdx.y, col = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (row >= g.m || col >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  lab::update(g.c[row * g.ldc + col], sum, scalars[0], scalars[1]);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  static float* const scalars = [] {
    float* made = nullptr;
    cudaMallocHost(&made, 2 * sizeof(float));
    return made;
  }();
  cudaStreamSynchronize(stream);  // an earlier call may still read them
  scalars[0] = g.alpha;
  scalars[1] = g.beta;
  const dim3 block(16, 16);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g, scalars);
}
