// Asks for 4 MiB of work space for each problem, however small.
#include "lab/gemm.h"

LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>&) { return 4 << 20; }

__global__ void gemm(lab::Gemm<float> g) {
  const int64_t row = blockIdx.y * int64_t{blockDim.y} + threadIdx.y, col = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (row >= g.m || col >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(16, 16);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
