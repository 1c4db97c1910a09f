// Tiles of A and B, BLOCK x BLOCK each, go through shared memory.
//
// Against gpu_naive: the threads of a block need the same rows of A and columns of B. They fetch one tile of
// each together, one element a thread, and then all use it BLOCK times: global memory is read BLOCK times
// less.
//
// PARTITION = row and block: threadIdx.x runs along the rows of the tile, one and the same split. column:
// down its columns, so a warp's loads of A and B and its writes of C lie whole rows apart, and so do its
// accesses to shared memory, which then meet in one bank.
//
// Any shape is right: what lies beyond an edge is loaded as 0 and adds nothing. Every thread takes part in
// loading and meets both barriers, also one that has no element of C to write.
//
// Limit: each multiply-add still takes two numbers from shared memory, which serves one load of a warp a
// cycle where the arithmetic units could take four multiply-adds. The next rung keeps several elements of C
// in each thread's registers, so that a number, once loaded, is used more than once ("Shared memory" in the
// CUDA C++ Programming Guide).
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif
#ifndef PARTITION
#define PARTITION block
#endif
constexpr int threads_a_block = BLOCK * BLOCK;
static_assert(threads_a_block <= 1024, "a thread block holds at most 1024 threads: BLOCK is 32 at most");

enum class Partition { row, column, block };
constexpr bool down_columns = Partition::PARTITION == Partition::column;

template <class T>
__global__ void __launch_bounds__(threads_a_block) gemm(lab::Gemm<T> g) {
  __shared__ T a[BLOCK][BLOCK];
  __shared__ T b[BLOCK][BLOCK];
  const int x = down_columns ? threadIdx.y : threadIdx.x, y = down_columns ? threadIdx.x : threadIdx.y;
  const int64_t col = int64_t{blockIdx.x} * BLOCK + x;
  // One turn, unless C has more rows than a grid has threads along y.
  for (int64_t top = int64_t{blockIdx.y} * BLOCK; top < g.m; top += int64_t{gridDim.y} * BLOCK) {
    const int64_t row = top + y;
    T sum = 0;
    for (int64_t p = 0; p < g.k; p += BLOCK) {
      a[y][x] = row < g.m && p + x < g.k ? g.a[row * g.lda + p + x] : T(0);
      b[y][x] = p + y < g.k && col < g.n ? g.b[(p + y) * g.ldb + col] : T(0);
      __syncthreads();  // both tiles are complete
      for (int q = 0; q < BLOCK; ++q) sum += a[y][q] * b[q][x];
      __syncthreads();  // nobody reads them any more
    }
    if (row < g.m && col < g.n) lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
  }
}

template <class T>
static dim3 grid(const lab::Gemm<T>& g) {
  return lab::grid_for(g.n, g.m, dim3(BLOCK, BLOCK));
}

template <class T>
static void launch(const lab::Gemm<T>& g, lab::Stream stream) {
  gemm<<<grid(g), dim3(BLOCK, BLOCK), 0, stream>>>(g);
}

LAB_GEMM_LAUNCH(float)(const lab::Gemm<float>& g) { return lab::launch_of(grid(g), threads_a_block); }
LAB_GEMM_LAUNCH(double)(const lab::Gemm<double>& g) { return lab::launch_of(grid(g), threads_a_block); }
LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { launch(g, stream); }
LAB_GEMM_GPU(double)(const lab::Gemm<double>& g, lab::Stream stream) { launch(g, stream); }
