// One element of C per thread, its sum in a register, from tiles of A and B in shared memory.
//
// A "register" kernel as the report of lab 10 has it: each thread keeps the sum of one element in a register. But
// so does gpu_shared, and so does gpu_naive, because a compiler keeps every local variable in a register if it can.
// So this is the shared kernel again, without the loads ahead of gpu_shared.
//
// PARTITION=column: the lanes of a warp run down the columns of the tile, as in gpu_shared.
//
// Limit: as in gpu_shared, two numbers from shared memory for each multiply-add. Registers help only if a thread
// has several elements of C, so that it uses each number from shared memory several times: gpu_register.
//
// Drawing:
//   product
//   rows = BLOCK; columns = BLOCK; threads = BLOCK * BLOCK; depth = BLOCK
//   row = PARTITION == column ? t % BLOCK : t / BLOCK
//   column = PARTITION == column ? t / BLOCK : t % BLOCK
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 32
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
  // Runs once, unless C has more rows of tiles than the grid has blocks along y.
  for (int64_t top = int64_t{blockIdx.y} * BLOCK; top < g.m; top += int64_t{gridDim.y} * BLOCK) {
    const int64_t row = top + y;
    T sum = 0;
    for (int64_t p = 0; p < g.k; p += BLOCK) {
      a[y][x] = row < g.m && p + x < g.k ? g.a[row * g.lda + p + x] : T(0);
      b[y][x] = p + y < g.k && col < g.n ? g.b[(p + y) * g.ldb + col] : T(0);
      __syncthreads();  // both tiles are complete
#pragma unroll
      for (int q = 0; q < BLOCK; ++q) sum += a[y][q] * b[q][x];
      __syncthreads();  // no thread reads them any more
    }
    if (row < g.m && col < g.n) lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
  }
}

template <class T>
static void launch(const lab::Gemm<T>& g, lab::Stream stream) {
  const dim3 block(BLOCK, BLOCK);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { launch(g, stream); }
LAB_GEMM_GPU(double)(const lab::Gemm<double>& g, lab::Stream stream) { launch(g, stream); }
