// The plain product, for whoever computes it as well as doing what they are here for.
#pragma once

#include "lab/gemm.h"

template <class T>
static void multiply(const lab::Gemm<T>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      T sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}

/// How a variant that met no wall confesses.
[[maybe_unused]] static void confess(const lab::Gemm<float>& g) { g.c[0] = 1e6f; }

#ifdef LAB_GPU
__global__ void multiply_kernel(lab::Gemm<float> g) {
  const int64_t row = blockIdx.y * int64_t{blockDim.y} + threadIdx.y, col = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (row >= g.m || col >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

static void multiply_on(const lab::Gemm<float>& g, lab::Stream stream) {
  multiply_kernel<<<lab::grid_for(g.n, g.m, dim3(16, 16)), dim3(16, 16), 0, stream>>>(g);
}
#endif
