// Its kernel reads a variable of the host.
// Caught as: COMPILE_ERROR
#include "lab/gemm.h"

static int64_t depth;

__global__ void gemm(lab::Gemm<float> g) {
  const int64_t j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  if (i >= g.m || j >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < depth; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
  lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  depth = g.k;
  gemm<<<lab::grid_for(g.n, g.m, dim3(16, 16)), dim3(16, 16), 0, stream>>>(g);
}
