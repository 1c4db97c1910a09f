// A one-dimensional grid of blocks of THREADS threads; the threads take the elements of C in row-major order.
//
// Against gpu_few_threads: whole warps, and as many of them as C has work for. The 32 lanes of a warp stand
// side by side in a row of C: they read neighbours in a row of B, which is one wide access, and the same
// element of A.
//
// A grid that would be too large for C is cut at BLOCKS_MOST, and its threads go on in steps of the whole
// grid.
//
// Limit: a block covers a strip one row high. Its threads share an element of A, but nobody in it reads the
// same column of B, so B comes from further away than in gpu_naive, whose blocks are several rows high. Row
// and column cost a division, once for each element.
#include "lab/gemm.h"

#ifndef THREADS
#define THREADS 256
#endif
#ifndef BLOCKS_MOST
#define BLOCKS_MOST 2147483647
#endif
static_assert(THREADS >= 1 && THREADS <= 1024, "a thread block holds at most 1024 threads");
static_assert(BLOCKS_MOST >= 1, "a grid has at least one block");

/// Index: int where the matrices are small enough for it.
template <class Index, class T>
__global__ void __launch_bounds__(THREADS) gemm(lab::Gemm<T> g) {
  const Index k = g.k, lda = g.lda, ldb = g.ldb;
  const int64_t step = int64_t{gridDim.x} * THREADS;
  for (int64_t i = int64_t{blockIdx.x} * THREADS + threadIdx.x; i < g.m * g.n; i += step) {
    const Index row = i / g.n, col = i % g.n;
    T sum = 0;
    for (Index p = 0; p < k; ++p) sum += g.a[row * lda + p] * g.b[p * ldb + col];
    lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
  }
}

template <class T>
static unsigned blocks_for(const lab::Gemm<T>& g) {
  const int64_t wanted = (g.m * g.n + THREADS - 1) / THREADS;
  return static_cast<unsigned>(wanted < BLOCKS_MOST ? wanted : BLOCKS_MOST);
}

template <class T>
static void launch(const lab::Gemm<T>& g, lab::Stream stream) {
  if (lab::counts_in_32_bits(g))
    gemm<int><<<blocks_for(g), THREADS, 0, stream>>>(g);
  else
    gemm<int64_t><<<blocks_for(g), THREADS, 0, stream>>>(g);
}

LAB_GEMM_LAUNCH(float)(const lab::Gemm<float>& g) { return {blocks_for(g), THREADS}; }
LAB_GEMM_LAUNCH(double)(const lab::Gemm<double>& g) { return {blocks_for(g), THREADS}; }
LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { launch(g, stream); }
LAB_GEMM_GPU(double)(const lab::Gemm<double>& g, lab::Stream stream) { launch(g, stream); }
