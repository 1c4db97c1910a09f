// Each thread computes ROWS elements of C, one below the other, from tiles in shared memory.
//
// Compared with gpu_shared: a thread loads a number of B from shared memory once and uses it for ROWS
// multiply-adds. A step costs ROWS + 1 loads for ROWS multiply-adds, where gpu_shared needs 2 loads for
// each one.
//
// A block has TILE x (TILE / ROWS) threads and a TILE x TILE tile of C. It moves along k in steps of
// DEPTH.
//
// What limits it: every multiply-add still needs a number of A from shared memory. gpu_register computes
// several columns as well.
//
// Drawing:
//   product
//   rows = TILE; columns = TILE; threads = TILE * (TILE / ROWS); depth = DEPTH
//   thread_rows = ROWS
//   row = t / TILE * ROWS; column = t % TILE
#include "lab/gemm.h"

#ifndef TILE
#define TILE 128
#endif
#ifndef DEPTH
#define DEPTH 16
#endif
#ifndef ROWS
#define ROWS 32
#endif
constexpr int threads_a_block = TILE * (TILE / ROWS);
static_assert(TILE % ROWS == 0, "ROWS divides TILE: threads share the rows of a tile evenly");
static_assert(threads_a_block <= 1024,
              "a thread block holds at most 1024 threads: more ROWS, or a smaller TILE");
static_assert(TILE * DEPTH % threads_a_block == 0,
              "the threads share the loading evenly: DEPTH is a multiple of TILE / ROWS");

template <class T>
__global__ void __launch_bounds__(threads_a_block) gemm(lab::Gemm<T> g) {
  __shared__ T a[TILE][DEPTH];
  __shared__ T b[DEPTH][TILE];
  const int thread = threadIdx.x;
  const int x = thread % TILE, y = thread / TILE * ROWS;  // this thread's column in the tile
  const int64_t col = int64_t{blockIdx.x} * TILE + x;
  // Runs once, unless C has more rows of tiles than the grid has blocks along y.
  for (int64_t top = int64_t{blockIdx.y} * TILE; top < g.m; top += int64_t{gridDim.y} * TILE) {
    T sum[ROWS] = {};
    for (int64_t p = 0; p < g.k; p += DEPTH) {
#pragma unroll
      for (int i = thread; i < TILE * DEPTH; i += threads_a_block) {
        const int64_t a_row = top + i / DEPTH, a_col = p + i % DEPTH;
        a[i / DEPTH][i % DEPTH] = a_row < g.m && a_col < g.k ? g.a[a_row * g.lda + a_col] : T(0);
        const int64_t b_row = p + i / TILE, b_col = int64_t{blockIdx.x} * TILE + i % TILE;
        b[i / TILE][i % TILE] = b_row < g.k && b_col < g.n ? g.b[b_row * g.ldb + b_col] : T(0);
      }
      __syncthreads();  // both tiles are complete
#pragma unroll
      for (int q = 0; q < DEPTH; ++q) {
        const T beside = b[q][x];
#pragma unroll
        for (int r = 0; r < ROWS; ++r) sum[r] += a[y + r][q] * beside;
      }
      __syncthreads();  // no thread reads them any more
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      const int64_t row = top + y + r;
      if (row < g.m && col < g.n) lab::update(g.c[row * g.ldc + col], sum[r], g.alpha, g.beta);
    }
  }
}

template <class T>
static void launch(const lab::Gemm<T>& g, lab::Stream stream) {
  gemm<<<lab::grid_for(g.n, g.m, dim3(TILE, TILE)), threads_a_block, 0, stream>>>(g);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { launch(g, stream); }
LAB_GEMM_GPU(double)(const lab::Gemm<double>& g, lab::Stream stream) { launch(g, stream); }
