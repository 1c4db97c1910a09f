// Rounds its inputs to 11 bits on the device.
// Caught as: WRONG
// Class: D
// Says: every cell is as if A and B had 11 significant bits: are they rounded to TF32 or half?
#include "lab/gemm.h"

__device__ float shortened(float x) { return __uint_as_float((__float_as_uint(x) + 0x1000) & 0xffffe000); }

__global__ void gemm(lab::Gemm<float> g) {
  const int64_t row = blockIdx.y * int64_t{blockDim.y} + threadIdx.y, col = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (row >= g.m || col >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += shortened(g.a[row * g.lda + p]) * shortened(g.b[p * g.ldb + col]);
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  gemm<<<lab::grid_for(g.n, g.m, dim3(16, 16)), dim3(16, 16), 0, stream>>>(g);
}
