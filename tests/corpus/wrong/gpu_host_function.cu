// Its kernel calls a function without __device__.
// Caught as: COMPILE_ERROR
#include "lab/gemm.h"

static float product(const float* a, const float* b, int64_t i) { return a[i] * b[i]; }

__global__ void gemm(lab::Gemm<float> g) {
  const int64_t j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  if (i >= g.m || j >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += product(g.a + i * g.lda + p, g.b + p * g.ldb + j, 0);
  lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  gemm<<<lab::grid_for(g.n, g.m, dim3(16, 16)), dim3(16, 16), 0, stream>>>(g);
}
