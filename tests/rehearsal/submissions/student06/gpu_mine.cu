// simple kernel
#include "lab/gemm.h"

__global__ void gemm(lab::Gemm<float> g) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int p = 0; p < g.k; p++) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
  g.c[i * g.ldc + j] = g.alpha * sum + (g.beta != 0 ? g.beta * g.c[i * g.ldc + j] : 0);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(16, 16);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
