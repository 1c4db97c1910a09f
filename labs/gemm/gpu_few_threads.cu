// BLOCKS blocks of ONE thread each. The threads share the elements of C among them.
//
// Compared with cpu_baseline: the same loop, run by BLOCKS threads at once. A thread starts at the element
// with its own number and continues in steps of the number of threads (a grid-stride loop), so any number
// of threads gives the right result for any shape. The variant compares a few threads of a GPU with as
// many of a CPU.
//
// What limits it: a GPU computes in warps of 32 lanes, and 31 of them are idle here. The one that works
// waits for memory at every step, and its block has no other warp that could work meanwhile.
//
// Drawing:
//   product
//   rows = 1; columns = 1; threads = 1
//   row = 0; column = 0
//   Then the block computes the element that is BLOCKS further on, until none is left.
#include "lab/gemm.h"

#ifndef BLOCKS
#define BLOCKS 1024
#endif
static_assert(BLOCKS >= 1, "BLOCKS is the number of threads: at least 1");

template <class T>
__global__ void gemm(lab::Gemm<T> g) {
  for (int64_t i = blockIdx.x; i < g.m * g.n; i += gridDim.x) {
    const int64_t row = i / g.n, col = i % g.n;
    T sum = 0;
    for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
    lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
  }
}

LAB_GEMM_LAUNCH(float)(const lab::Gemm<float>&) { return {BLOCKS, 1}; }
LAB_GEMM_LAUNCH(double)(const lab::Gemm<double>&) { return {BLOCKS, 1}; }
LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { gemm<<<BLOCKS, 1, 0, stream>>>(g); }
LAB_GEMM_GPU(double)(const lab::Gemm<double>& g, lab::Stream stream) { gemm<<<BLOCKS, 1, 0, stream>>>(g); }
