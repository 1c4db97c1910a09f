// A one-dimensional grid of blocks of THREADS threads. The threads take the elements of C in row-major
// order.
//
// Compared with gpu_few_threads: whole warps, and as many as C has work for. The 32 lanes of a warp have
// neighbouring elements in a row of C. They read neighbouring elements of a row of B, which is one wide
// access, and the same element of A.
//
// The grid has at most BLOCKS_MOST blocks. If C has more elements, the threads continue in steps of the
// whole grid.
//
// What limits it: a block covers a strip that is one row high. Its threads share an element of A, but no
// two of them read the same column of B. gpu_naive has blocks of several rows, so it finds more of B in
// the caches. Also, computing the row and the column takes a division per element.
//
// Drawing:
//   product
//   rows = 1; columns = THREADS; threads = THREADS
//   row = 0; column = t
#include "lab/gemm.h"

#ifndef THREADS
#define THREADS 256
#endif
#ifndef BLOCKS_MOST
#define BLOCKS_MOST 2147483647
#endif
static_assert(THREADS >= 1 && THREADS <= 1024, "a thread block holds at most 1024 threads");
static_assert(BLOCKS_MOST >= 1, "a grid has at least one block");

/// Index: int if the matrices are small enough, otherwise int64_t.
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
