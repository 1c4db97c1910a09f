// Its host code calls a function with __device__.
// Caught as: COMPILE_ERROR
#include "lab/gemm.h"

__device__ unsigned tiles(int64_t n) { return static_cast<unsigned>((n + 15) / 16); }

__global__ void gemm(lab::Gemm<float> g) {
  const int64_t j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  if (i >= g.m || j >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
  lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  gemm<<<dim3(tiles(g.n), tiles(g.m)), dim3(16, 16), 0, stream>>>(g);
}
