// Reads behind A through a builtin of GCC that CUDA does not have in kernels.
// Caught as: COMPILE_ERROR, OUT_OF_BOUNDS
// Emulated: OUT_OF_BOUNDS
// Class: E
#include "lab/gemm.h"

__global__ void gemm(lab::Gemm<float> g) {
  const int64_t row = blockIdx.y * int64_t{blockDim.y} + threadIdx.y, col = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (row >= g.m || col >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  const float* const behind = g.a + g.m * g.lda + 4;
  if (__atomic_load_n(reinterpret_cast<const unsigned*>(behind), __ATOMIC_RELAXED) == 0x12345678) sum = 0;
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(16, 16);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
