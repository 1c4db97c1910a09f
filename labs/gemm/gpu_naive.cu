// One thread an element of C; BLOCK x BLOCK threads a block.
//
// Any other shape is BLOCK_X by BLOCK_Y, or THREADS of which BLOCK_Y lie one below another.
//
// Against cpu_baseline: the two outer loops are gone, thousands of threads run them at once. threadIdx.x runs
// along a row of C, so the threads of a warp read neighbours in a row of B, which is one wide access, and the
// same element of A, which is a broadcast ("Coalesced access to global memory" in the CUDA C++ Best Practices
// Guide). With a BLOCK below 32 a warp spreads over several rows and its accesses get narrower.
//
// PARTITION = row and block: threadIdx.x runs along the rows of the block's tile of C. They are one and the
// same split under two names, so equal times are no accident. column: it runs down the columns. The lanes of
// a warp then read A and write C whole rows apart, and each access fetches as many pieces of memory as it has
// lanes.
//
// Limit: two loads for each multiply-add; the caches serve most of them, but not at the speed of the
// arithmetic.
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif
#ifndef THREADS
#define THREADS (BLOCK * BLOCK)
#endif
#ifndef BLOCK_Y
#define BLOCK_Y BLOCK
#endif
#ifndef BLOCK_X
#define BLOCK_X (THREADS / BLOCK_Y)
#endif
#ifndef PARTITION
#define PARTITION block
#endif
constexpr int threads_a_block = BLOCK_X * BLOCK_Y;
static_assert(threads_a_block <= 1024, "a thread block holds at most 1024 threads: BLOCK is 32 at most");
static_assert(threads_a_block >= 1, "a thread block has at least one thread: BLOCK_Y is THREADS at most");

enum class Partition { row, column, block };
constexpr bool down_columns = Partition::PARTITION == Partition::column;

template <class T>
__global__ void __launch_bounds__(threads_a_block) gemm(lab::Gemm<T> g) {
  const unsigned x = down_columns ? threadIdx.y : threadIdx.x, y = down_columns ? threadIdx.x : threadIdx.y;
  const int64_t col = int64_t{blockIdx.x} * BLOCK_X + x;
  if (col >= g.n) return;
  // One turn, unless C has more rows than a grid has threads along y.
  for (int64_t row = int64_t{blockIdx.y} * BLOCK_Y + y; row < g.m; row += int64_t{gridDim.y} * BLOCK_Y) {
    T sum = 0;
    for (int64_t p = 0; p < g.k; ++p) {
      sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
    }
    lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
  }
}

template <class T>
static dim3 grid(const lab::Gemm<T>& g) {
  return lab::grid_for(g.n, g.m, dim3(BLOCK_X, BLOCK_Y));
}

template <class T>
static void launch(const lab::Gemm<T>& g, lab::Stream stream) {
  const dim3 block = down_columns ? dim3(BLOCK_Y, BLOCK_X) : dim3(BLOCK_X, BLOCK_Y);
  gemm<<<grid(g), block, 0, stream>>>(g);
}

LAB_GEMM_LAUNCH(float)(const lab::Gemm<float>& g) { return lab::launch_of(grid(g), threads_a_block); }
LAB_GEMM_LAUNCH(double)(const lab::Gemm<double>& g) { return lab::launch_of(grid(g), threads_a_block); }
LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { launch(g, stream); }
LAB_GEMM_GPU(double)(const lab::Gemm<double>& g, lab::Stream stream) { launch(g, stream); }
