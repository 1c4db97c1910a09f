// A recursion never ends.
// Finds: stack_overflow
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif

// clang-format off: one line, the tools do not agree on which of a function overflows
__device__ float deeper(const lab::Gemm<float>& g, int64_t i) { volatile float here = g.alpha; return i < 0 ? here : deeper(g, i + 1) + here; }  // here
// clang-format on

__global__ void gemm(lab::Gemm<float> g) {
  const int col = blockIdx.x * BLOCK + threadIdx.x, row = blockIdx.y * BLOCK + threadIdx.y;
  if (row < g.m && col < g.n) g.c[row * g.ldc + col] = deeper(g, g.m);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(BLOCK, BLOCK);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
