// Reads behind A by passing what is there to a function that stays a function.
// Caught as: OUT_OF_BOUNDS, PASSED
// Emulated: OUT_OF_BOUNDS
// Class: E
#include "lab/gemm.h"

struct Number {
  float x;
};

__device__ __noinline__ float value_of(Number number) { return number.x; }

__global__ void gemm(lab::Gemm<float> g) {
  const int64_t row = blockIdx.y * int64_t{blockDim.y} + threadIdx.y, col = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (row >= g.m || col >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  const Number* const a = reinterpret_cast<const Number*>(g.a);
  if (value_of(a[(g.m - 1) * g.lda + g.k]) == 12345.0f) sum = 0;
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(16, 16);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
