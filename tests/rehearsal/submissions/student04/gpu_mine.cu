// one thread per element of C
#include "lab/gemm.h"

__global__ void gemm(lab::Gemm<float> g) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;  // row
  const int64_t j = int64_t{blockIdx.y} * blockDim.y + threadIdx.y;  // column
  if (i < g.m && j < g.n) {
    float sum = 0;
    for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
    lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
  }
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  dim3 block(16, 16), grid((g.m + 15) / 16, (g.n + 15) / 16);
  gemm<<<grid, block, 0, stream>>>(g);
}
