// The threads of a block copy tiles of A and B, BLOCK x BLOCK each, to shared memory and read them there.
//
// In gpu_naive the threads of a block read the same rows of A and columns of B. Here they load one tile of each
// together, one element per thread, and use each element BLOCK times, so they read global memory BLOCK times
// less. A thread starts to load its elements of the next tiles before it uses the current ones, so that loading
// and computing overlap. On an H200 at n = 4096 in f32: 8.3 TFLOP/s with BLOCK=16, 9.9 with 32.
//
// PARTITION=row and PARTITION=block are the same split: threadIdx.x runs along the rows of the tile. With
// PARTITION=column it runs down the columns: the lanes of a warp then read A and B and write C in different
// rows, and their accesses to shared memory are all in the same bank.
//
// UNROLL=1 keeps the loop over a tile; the default writes it out.
//
// All shapes work: elements beyond an edge are loaded as 0 and add nothing. A thread that has no element of C
// to write still loads elements and takes part in both barriers.
//
// Limit: each multiply-add still reads two numbers from shared memory. Shared memory serves one load of a warp
// per cycle, in which the arithmetic units could do four multiply-adds. gpu_register therefore keeps several
// elements of C in the registers of each thread and uses each loaded number several times ("Shared memory" in
// the CUDA C++ Programming Guide).
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
#ifndef UNROLL
#define UNROLL BLOCK
#endif
constexpr int threads_a_block = BLOCK * BLOCK;
constexpr int unrolled = UNROLL;  // nvcc does not replace macros in a pragma
static_assert(threads_a_block <= 1024, "a thread block holds at most 1024 threads: BLOCK is 32 at most");

enum class Partition { row, column, block };
enum class Edges { none, some };
constexpr bool down_columns = Partition::PARTITION == Partition::column;

/// Index: int where the matrices are small enough for it. Edges: whether a tile may reach over one.
template <class Index, Edges edges, class T>
__global__ void __launch_bounds__(threads_a_block) gemm(lab::Gemm<T> g) {
  __shared__ T a[BLOCK][BLOCK];
  __shared__ T b[BLOCK][BLOCK];
  const int x = down_columns ? threadIdx.y : threadIdx.x, y = down_columns ? threadIdx.x : threadIdx.y;
  const Index k = g.k, lda = g.lda, ldb = g.ldb;
  const Index col = static_cast<Index>(blockIdx.x) * BLOCK + x;
  // One turn, unless C has more rows than a grid has threads along y.
  for (Index top = static_cast<Index>(blockIdx.y) * BLOCK; top < g.m;
       top += static_cast<Index>(gridDim.y) * BLOCK) {
    const Index row = top + y;
    const bool has_row = edges == Edges::none || row < g.m, has_col = edges == Edges::none || col < g.n;
    const auto element_of_a = [&](Index p) { return has_row && p + x < k ? g.a[row * lda + p + x] : T(0); };
    const auto element_of_b = [&](Index p) { return has_col && p + y < k ? g.b[(p + y) * ldb + col] : T(0); };
    T sum = 0, next_a = element_of_a(0), next_b = element_of_b(0);
    for (Index p = 0; p < k; p += BLOCK) {
      a[y][x] = next_a;
      b[y][x] = next_b;
      __syncthreads();  // both tiles are complete
      next_a = element_of_a(p + BLOCK);  // on its way while these tiles are used
      next_b = element_of_b(p + BLOCK);
#pragma unroll unrolled
      for (int q = 0; q < BLOCK; ++q) sum += a[y][q] * b[q][x];
      __syncthreads();  // nobody reads them any more
    }
    if (has_row && has_col) lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
  }
}

template <class T>
static dim3 grid(const lab::Gemm<T>& g) {
  return lab::grid_for(g.n, g.m, dim3(BLOCK, BLOCK));
}

template <class T>
static void launch(const lab::Gemm<T>& g, lab::Stream stream) {
  const dim3 block(BLOCK, BLOCK);
  const bool whole_tiles = g.m % BLOCK == 0 && g.n % BLOCK == 0 && g.k % BLOCK == 0;
  if (!lab::counts_in_32_bits(g))
    gemm<int64_t, Edges::some><<<grid(g), block, 0, stream>>>(g);
  else if (whole_tiles)
    gemm<int, Edges::none><<<grid(g), block, 0, stream>>>(g);
  else
    gemm<int, Edges::some><<<grid(g), block, 0, stream>>>(g);
}

LAB_GEMM_LAUNCH(float)(const lab::Gemm<float>& g) { return lab::launch_of(grid(g), threads_a_block); }
LAB_GEMM_LAUNCH(double)(const lab::Gemm<double>& g) { return lab::launch_of(grid(g), threads_a_block); }
LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { launch(g, stream); }
LAB_GEMM_GPU(double)(const lab::Gemm<double>& g, lab::Stream stream) { launch(g, stream); }
