// with cudaMemcpy
#include "lab/gemm.h"

__global__ void kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m || j >= n) return;
  float tmp = 0;
  for (int kk = 0; kk < k; kk++) tmp += a[i * k + kk] * b[kk * n + j];
  c[i * n + j] = tmp;
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  float *a, *b, *c;
  cudaMalloc(&a, g.m * g.k * 4);
  cudaMalloc(&b, g.k * g.n * 4);
  cudaMalloc(&c, g.m * g.n * 4);
  cudaMemcpy(a, g.a, g.m * g.k * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(b, g.b, g.k * g.n * 4, cudaMemcpyHostToDevice);
  dim3 block(16, 16), grid((g.n + 15) / 16, (g.m + 15) / 16);
  kernel<<<grid, block>>>(a, b, c, g.m, g.n, g.k);
  cudaMemcpy(g.c, c, g.m * g.n * 4, cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
