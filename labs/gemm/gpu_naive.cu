// One thread an element of C; BLOCK x BLOCK threads a block.
//
// Against cpu_baseline: the two outer loops are gone, thousands of threads run them at once. threadIdx.x runs
// along a row of C, so the threads of a warp read neighbours in a row of B, which is one wide access, and the
// same element of A, which is a broadcast ("Coalesced access to global memory" in the CUDA C++ Best Practices
// Guide). With a BLOCK below 32 a warp spreads over several rows and its accesses get narrower.
//
// Limit: two loads for each multiply-add; the caches serve most of them, but not at the speed of the
// arithmetic.
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif
constexpr int threads_a_block = BLOCK * BLOCK;
static_assert(threads_a_block <= 1024, "a thread block holds at most 1024 threads: BLOCK is 32 at most");

template <class T>
__global__ void __launch_bounds__(threads_a_block) gemm(lab::Gemm<T> g) {
  const int64_t col = int64_t{blockIdx.x} * BLOCK + threadIdx.x;
  if (col >= g.n) return;
  // One turn, unless C has more rows than a grid has threads along y.
  for (int64_t row = int64_t{blockIdx.y} * BLOCK + threadIdx.y; row < g.m;
       row += int64_t{gridDim.y} * BLOCK) {
    T sum = 0;
    for (int64_t p = 0; p < g.k; ++p) {
      sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
    }
    lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
  }
}

template <class T>
static void launch(const lab::Gemm<T>& g, lab::Stream stream) {
  const dim3 block(BLOCK, BLOCK);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { launch(g, stream); }
LAB_GEMM_GPU(double)(const lab::Gemm<double>& g, lab::Stream stream) { launch(g, stream); }
