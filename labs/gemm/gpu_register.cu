// Each thread computes TM x TN elements of C and keeps them in registers. It loads 16 bytes at once.
//
// Compared with gpu_register_column: a step loads TM + TN numbers from shared memory for TM * TN
// multiply-adds, 4 (f64: 2) numbers per load. And the block fetches the tiles of the next DEPTH steps from
// global memory while it computes with the current ones. Shared memory holds two pairs of tiles, so one
// barrier per round is enough.
//
// A block has BLOCK_X x BLOCK_Y threads. The elements of a thread are not all neighbours: they are pieces
// of 16 bytes that are BLOCK_X (BLOCK_Y) pieces apart. So the pieces that a warp reads at once are side by
// side, and its lanes read from different banks. For the same reason the tile of A is stored transposed.
//
// PARTITION = row or block: the lanes of a warp follow the rows of the tile. column: they follow its
// columns. That costs little here, because the threads share the loads in another way, always along the
// rows.
//
// Blocks are numbered so that those that run at the same time form a square of C instead of a row. They
// share more of A and B, which then come from the L2 cache.
//
// What limits it: the multiply-adds, if there are enough tiles for all multiprocessors. Instructions that
// move numbers from shared memory to registers still take a good part of the issue slots.
//
// Drawing:
//   product
//   rows = BLOCK_Y * TM; columns = BLOCK_X * TN; threads = BLOCK_X * BLOCK_Y
//   depth = DEPTH * 4 / bytes; buffers = 2
//   thread_rows = TM; piece_rows = 16 / bytes; step_rows = BLOCK_Y * 16 / bytes
//   thread_columns = TN; piece_columns = 16 / bytes; step_columns = BLOCK_X * 16 / bytes
//   row = (PARTITION == column ? t % BLOCK_Y : t / BLOCK_X) * 16 / bytes
//   column = (PARTITION == column ? t / BLOCK_Y : t % BLOCK_X) * 16 / bytes
#include "lab/piece.h"

using lab::Piece;

#ifndef BLOCK
#define BLOCK 16
#endif
#ifndef BLOCK_X
#define BLOCK_X BLOCK
#endif
#ifndef BLOCK_Y
#define BLOCK_Y BLOCK
#endif
#ifndef TM
#define TM (BLOCK_X * BLOCK_Y > 256 ? 4 : 8)
#endif
#ifndef TN
#define TN (BLOCK_X * BLOCK_Y > 256 ? 4 : 8)
#endif
#ifndef DEPTH
#define DEPTH 8
#endif
#ifndef GROUP
#define GROUP 8
#endif
#ifndef RESIDENT
#define RESIDENT (BLOCK_X * BLOCK_Y < 256 ? 384 : 512)
#endif
#ifndef PARTITION
#define PARTITION block
#endif
LAB_TUNE(BLOCK_X, 8, 16, 32);
LAB_TUNE(BLOCK_Y, 8, 16, 32);
LAB_TUNE(TM, 4, 8, 16);
LAB_TUNE(TN, 4, 8, 16);
LAB_TUNE(DEPTH, 8, 16);
constexpr int threads_a_block = BLOCK_X * BLOCK_Y;
static_assert(threads_a_block <= 1024, "a thread block holds at most 1024 threads: BLOCK is 32 at most");
static_assert(TM % 4 == 0 && TN % 4 == 0, "TM and TN are multiples of 4: a load is 16 bytes");
static_assert(DEPTH % 8 == 0, "DEPTH is a multiple of 8: f64 takes half as many steps, 16 bytes a load");
static_assert(TM * TN <= 128, "TM * TN sums and what else a thread needs must fit into 255 registers");

enum class Partition { row, column, block };
constexpr bool down_columns = Partition::PARTITION == Partition::column;

/// A tile of C.
constexpr int rows = BLOCK_Y * TM, columns = BLOCK_X * TN;

/// Steps of k per pair of tiles: as many bytes for both types.
template <class T>
constexpr int depth = DEPTH * 4 / sizeof(T);

/// Blocks per multiprocessor: RESIDENT threads in f32, half as many in f64, because a sum takes two registers
/// there.
template <class T>
constexpr int resident = RESIDENT * 4 / (threads_a_block * sizeof(T)) > 0
                             ? RESIDENT * 4 / (threads_a_block * sizeof(T))
                             : 1;

/// Pieces of a tile that each thread fetches.
template <class T, int edge>
constexpr int share = (edge * depth<T> / Piece<T>::length + threads_a_block - 1) / threads_a_block;

template <class T>
struct Tiles {
  T a[depth<T>][rows + Piece<T>::length];  // transposed; the padding spreads its writes over the banks
  T b[depth<T>][columns];
};

/// The pieces of both tiles that this thread fetches from global memory.
template <bool aligned, class T>
__device__ __forceinline__ void fetch_tiles(const lab::Gemm<T>& g, int64_t top, int64_t left, int64_t p,
                                            Piece<T> (&a)[share<T, rows>], Piece<T> (&b)[share<T, columns>]) {
  constexpr int length = Piece<T>::length, a_width = depth<T> / length, b_width = columns / length;
#pragma unroll
  for (int s = 0; s < share<T, rows>; ++s) {
    const int i = threadIdx.x + s * threads_a_block;
    const int64_t row = top + i / a_width;
    if (i < rows * a_width)
      a[s] = lab::load_piece<aligned>(g.a + row * g.lda, p + i % a_width * length, row < g.m ? g.k : 0);
  }
#pragma unroll
  for (int s = 0; s < share<T, columns>; ++s) {
    const int i = threadIdx.x + s * threads_a_block;
    const int64_t row = p + i / b_width;
    if (i < depth<T> * b_width)
      b[s] = lab::load_piece<aligned>(g.b + row * g.ldb, left + i % b_width * length, row < g.k ? g.n : 0);
  }
}

template <class T>
__device__ __forceinline__ void store_tiles(Tiles<T>& tiles, const Piece<T> (&a)[share<T, rows>],
                                            const Piece<T> (&b)[share<T, columns>]) {
  constexpr int length = Piece<T>::length, a_width = depth<T> / length, b_width = columns / length;
#pragma unroll
  for (int s = 0; s < share<T, rows>; ++s) {
    const int i = threadIdx.x + s * threads_a_block;
    if (i >= rows * a_width) break;
#pragma unroll
    for (int e = 0; e < length; ++e) tiles.a[i % a_width * length + e][i / a_width] = a[s].at[e];
  }
#pragma unroll
  for (int s = 0; s < share<T, columns>; ++s) {
    const int i = threadIdx.x + s * threads_a_block;
    if (i < depth<T> * b_width)
      *reinterpret_cast<Piece<T>*>(&tiles.b[i / b_width][i % b_width * length]) = b[s];
  }
}

/// COUNT numbers of a row of shared memory, in pieces that are `apart` pieces apart.
template <int count, class T>
__device__ __forceinline__ void take(T (&to)[count], const T* line, int first, int apart) {
  constexpr int length = Piece<T>::length;
#pragma unroll
  for (int s = 0; s < count / length; ++s) {
    const Piece<T> piece = *reinterpret_cast<const Piece<T>*>(line + (first + s * apart) * length);
#pragma unroll
    for (int e = 0; e < length; ++e) to[s * length + e] = piece.at[e];
  }
}

template <bool aligned, class T>
__global__ void __launch_bounds__(threads_a_block, resident<T>) gemm(lab::Gemm<T> g) {
  constexpr int length = Piece<T>::length;
  alignas(16) __shared__ Tiles<T> tiles[2];
  static_assert(sizeof tiles <= 48 * 1024, "the tiles must fit into 48 KiB: a smaller DEPTH, TM or TN");
  const int thread = threadIdx.x;
  const int x = down_columns ? thread / BLOCK_Y : thread % BLOCK_X;
  const int y = down_columns ? thread % BLOCK_Y : thread / BLOCK_X;
  // Tiles are numbered down GROUP rows of tiles, then to the right.
  const int64_t wide = (g.n + columns - 1) / columns, high = (g.m + rows - 1) / rows;
  const int64_t first = blockIdx.x / (wide * GROUP) * GROUP, in_group = blockIdx.x % (wide * GROUP);
  const int64_t group = high - first < GROUP ? high - first : GROUP;
  const int64_t top = (first + in_group % group) * rows, left = in_group / group * columns;

  T sum[TM][TN] = {};
  Piece<T> next_a[share<T, rows>], next_b[share<T, columns>];
  fetch_tiles<aligned>(g, top, left, 0, next_a, next_b);
  store_tiles(tiles[0], next_a, next_b);
  __syncthreads();
  int now = 0;
  for (int64_t p = 0; p < g.k; p += depth<T>, now ^= 1) {
    const bool more = p + depth<T> < g.k;
    if (more) fetch_tiles<aligned>(g, top, left, p + depth<T>, next_a, next_b);
#pragma unroll
    for (int q = 0; q < depth<T>; ++q) {
      T a[TM], b[TN];
      take(a, tiles[now].a[q], y, BLOCK_Y);
      take(b, tiles[now].b[q], x, BLOCK_X);
#pragma unroll
      for (int r = 0; r < TM; ++r)
#pragma unroll
        for (int s = 0; s < TN; ++s) sum[r][s] += a[r] * b[s];
    }
    if (more) store_tiles(tiles[now ^ 1], next_a, next_b);
    __syncthreads();  // the next tiles are complete, and no thread reads these any more
  }
#pragma unroll
  for (int r = 0; r < TM; ++r) {
    const int64_t row = top + (y + r / length * BLOCK_Y) * length + r % length;
#pragma unroll
    for (int s = 0; s < TN; s += length)
      lab::update_piece<aligned>(g, row, left + (x + s / length * BLOCK_X) * length, &sum[r][s]);
  }
}

template <class T>
static void launch(const lab::Gemm<T>& g, lab::Stream stream) {
  const unsigned tiles = lab::blocks_for(g.n, columns) * lab::blocks_for(g.m, rows);
  if (lab::rows_aligned(g))
    gemm<true><<<tiles, threads_a_block, 0, stream>>>(g);
  else
    gemm<false><<<tiles, threads_a_block, 0, stream>>>(g);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { launch(g, stream); }
LAB_GEMM_GPU(double)(const lab::Gemm<double>& g, lab::Stream stream) { launch(g, stream); }
