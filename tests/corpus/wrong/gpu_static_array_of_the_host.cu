// Its kernel gets a static array of the host, which nobody copied to the device.
// Finds: host_pointer
#include "lab/gemm.h"

__global__ void gemm(lab::Gemm<float> g, const float* zeros) {
  const int64_t row = blockIdx.y * int64_t{blockDim.y} + threadIdx.y, col = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (row >= g.m || col >= g.n) return;
  float sum = zeros[threadIdx.x];  // here
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  static float zeros[16];
  const dim3 block(16, 16);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g, zeros);
}
