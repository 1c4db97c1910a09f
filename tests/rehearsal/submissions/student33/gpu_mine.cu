// several threads per element with atomicAdd
#include "lab/gemm.h"

__global__ void gemm(lab::Gemm<float> g) {
  const int64_t j = int64_t{blockIdx.x} * 16 + threadIdx.x, i = int64_t{blockIdx.y} * 16 + threadIdx.y, kk = blockIdx.z;
  if (i >= g.m || j >= g.n) return;
  if (kk == 0) g.c[i * g.ldc + j] = g.beta == 0 ? 0 : g.beta * g.c[i * g.ldc + j];
  atomicAdd(&g.c[i * g.ldc + j], g.alpha * g.a[i * g.lda + kk] * g.b[kk * g.ldb + j]);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  dim3 block(16, 16), grid((g.n + 15) / 16, (g.m + 15) / 16, g.k);
  gemm<<<grid, block, 0, stream>>>(g);
}
