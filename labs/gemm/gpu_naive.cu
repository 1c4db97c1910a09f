// One thread per element of C; 128 x 8 threads per block, or BLOCK x BLOCK.
//
// For another shape set BLOCK_X and BLOCK_Y, or THREADS and BLOCK_Y: the number of threads and of their rows.
//
// Compared with cpu_baseline, thousands of threads replace the two outer loops. threadIdx.x runs along a row of
// C. The threads of a warp therefore read neighbours in a row of B, which is one wide access, and the same
// element of A, which is a broadcast ("Coalesced access to global memory" in the CUDA C++ Best Practices
// Guide). With a BLOCK below 32 a warp covers several rows, and its accesses are narrower.
//
// The loop is unrolled, so that a warp waits for many loads at the same time. The block is wide, so that its
// warps read the same rows of A from the L1 cache. On an H200 at n = 4096 in f32: 16 x 16 threads 5.4 TFLOP/s, 32 x
// 32 threads 5.8, unrolled by 64 6.2, and with 128 x 8 threads 6.5.
//
// PARTITION=row and PARTITION=block are two names of the same split, so their times are equal: threadIdx.x runs
// along the rows of the block's tile of C. With PARTITION=column it runs down the columns. The lanes of a warp
// then read A and write C in different rows, and each access fetches as many pieces of memory as there are
// lanes.
//
// Limit: each multiply-add needs two loads. The caches serve most of them, but more slowly than the GPU can
// multiply.
//
// Drawing:
//   product
//   rows = BLOCK_Y; columns = BLOCK_X; threads = BLOCK_X * BLOCK_Y
//   row = PARTITION == column ? t % BLOCK_Y : t / BLOCK_X
//   column = PARTITION == column ? t / BLOCK_Y : t % BLOCK_X
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 0
#endif
#ifndef THREADS
#define THREADS (BLOCK ? BLOCK * BLOCK : 1024)
#endif
#ifndef BLOCK_Y
#define BLOCK_Y (BLOCK ? BLOCK : 8)
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

/// Index: int where the matrices are small enough for it.
template <class Index, class T>
__global__ void __launch_bounds__(threads_a_block) gemm(lab::Gemm<T> g) {
  const unsigned x = down_columns ? threadIdx.y : threadIdx.x, y = down_columns ? threadIdx.x : threadIdx.y;
  const Index k = g.k, lda = g.lda, ldb = g.ldb;
  const Index col = static_cast<Index>(blockIdx.x) * BLOCK_X + x;
  const Index row = static_cast<Index>(blockIdx.y) * BLOCK_Y + y;
  if (row >= g.m || col >= g.n) return;
  lab::Sum<T> sum = 0;
#pragma unroll 64
  for (Index p = 0; p < k; ++p) {
    sum += g.a[row * lda + p] * g.b[p * ldb + col];
  }
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

template <class T>
static dim3 grid(const lab::Gemm<T>& g) {
  return lab::grid_for(g.n, g.m, dim3(BLOCK_X, BLOCK_Y));
}

template <class T>
static void launch(const lab::Gemm<T>& g, lab::Stream stream) {
  const dim3 block = down_columns ? dim3(BLOCK_Y, BLOCK_X) : dim3(BLOCK_X, BLOCK_Y);
  // One turn, unless C has more rows than a grid has threads along y.
  constexpr int64_t most_rows = int64_t{65535} * BLOCK_Y;
  for (int64_t first = 0; first < g.m; first += most_rows) {
    const lab::Gemm<T> part = g.rows(first, g.m - first < most_rows ? g.m - first : most_rows);
    if (lab::counts_in_32_bits(g))
      gemm<int><<<grid(part), block, 0, stream>>>(part);
    else
      gemm<int64_t><<<grid(part), block, 0, stream>>>(part);
  }
}

LAB_GEMM_LAUNCH(float)(const lab::Gemm<float>& g) { return lab::launch_of(grid(g), threads_a_block); }
LAB_GEMM_LAUNCH(double)(const lab::Gemm<double>& g) { return lab::launch_of(grid(g), threads_a_block); }
LAB_GEMM_LAUNCH(bf16)(const lab::Gemm<bf16>& g) { return lab::launch_of(grid(g), threads_a_block); }
LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { launch(g, stream); }
LAB_GEMM_GPU(double)(const lab::Gemm<double>& g, lab::Stream stream) { launch(g, stream); }
LAB_GEMM_GPU(bf16)(const lab::Gemm<bf16>& g, lab::Stream stream) { launch(g, stream); }
