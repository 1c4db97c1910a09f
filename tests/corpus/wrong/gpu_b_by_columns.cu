// Reads B as B[col][p], whatever its shape.
// Caught as: WRONG, OUT_OF_BOUNDS, CRASHED
#include "lab/gemm.h"

__global__ void gemm(lab::Gemm<float> g) {
  const int64_t row = blockIdx.y * int64_t{blockDim.y} + threadIdx.y, col = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (row >= g.m || col >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[col * g.ldb + p];
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  gemm<<<lab::grid_for(g.n, g.m, dim3(16, 16)), dim3(16, 16), 0, stream>>>(g);
}
