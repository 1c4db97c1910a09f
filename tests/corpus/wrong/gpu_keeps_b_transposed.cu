// Transposes B once, and again only if B lies elsewhere: the second call finds the B of the first.
// Caught as: WRONG
#include "lab/gemm.h"

__global__ void transpose(lab::Gemm<float> g, float* to) {
  const int64_t col = int64_t{blockIdx.x} * blockDim.x + threadIdx.x, row = int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  if (row < g.k && col < g.n) to[col * g.k + row] = g.b[row * g.ldb + col];
}

__global__ void gemm(lab::Gemm<float> g, const float* b) {
  const int64_t col = int64_t{blockIdx.x} * blockDim.x + threadIdx.x, row = int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  if (row >= g.m || col >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * b[col * g.k + p];
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) { return g.k * g.n * sizeof(float); }

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  static const float* of = nullptr;
  static int64_t m = 0, n = 0, k = 0;
  const dim3 block(32, 8);
  float* b = static_cast<float*>(g.workspace);
  if (of != g.b || m != g.m || n != g.n || k != g.k) transpose<<<lab::grid_for(g.n, g.k, block), block, 0, stream>>>(g, b);
  of = g.b, m = g.m, n = g.n, k = g.k;
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g, b);
}
