// memmove in a kernel: GPUs have memcpy, but not memmove. (It also reads past the end of the row.)
// Caught as: COMPILE_ERROR
#include <cstring>

#include "lab/gemm.h"

__global__ void gemm(lab::Gemm<float> g, int count) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= g.m || col >= g.n) return;
  float sum = 0, a[4];
  for (int p = 0; p < g.k; p += 4) {
    memmove(a, g.a + row * g.lda + p, count * sizeof(float));
    for (int q = 0; q < 4 && p + q < g.k; ++q) sum += a[q] * g.b[(p + q) * g.ldb + col];
  }
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(16, 16);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g, 4);
}
