// BLOCKS blocks of ONE thread each, which share out the elements of C between them.
//
// Against cpu_baseline: the same loop, BLOCKS of them at once. A thread begins at the element of its own
// number and goes on in steps of the number of threads (a grid-stride loop), so that any number of threads is
// right for any shape. It is there to compare a few threads of a GPU with as many of a CPU.
//
// Limit: a GPU computes with warps of 32 lanes, and 31 of each stand idle here. The one that works waits for
// memory at every step, and there is no other warp in its block to fill the time.
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
