// Its kernel uses an operator() without __device__.
// Caught as: COMPILE_ERROR
#include "lab/gemm.h"

struct Matrix {
  const float* first;
  int64_t ld;
  float operator()(int64_t i, int64_t j) const { return first[i * ld + j]; }
};

__global__ void gemm(lab::Gemm<float> g, Matrix a, Matrix b) {
  const int64_t j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  if (i >= g.m || j >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += a(i, p) * b(p, j);
  lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  gemm<<<lab::grid_for(g.n, g.m, dim3(16, 16)), dim3(16, 16), 0, stream>>>(g, Matrix{g.a, g.lda}, Matrix{g.b, g.ldb});
}
