// Tensor cores: a warp multiplies whole 16 x 16 pieces of tiles with one instruction, in TF32.
//
// Compared with gpu_register: the multiply-adds of a 16 x 16 x 8 product are one operation of the warp
// instead of 64 per lane, so arithmetic is no longer the limit. The price is precision: tensor cores round
// each number of A and B to TF32, with 10 bits after the binary point instead of 23, before they multiply.
// The sums are f32.
//
// A block of WARPS_Y x WARPS_X warps holds a tile of C, FRAGMENTS_Y x FRAGMENTS_X pieces per warp. Numbers
// are rounded once, on their way to shared memory. A program does not know which lane holds which element
// of a piece, so a piece of C goes through shared memory before alpha and beta are applied.
//
// What limits it: this interface (mma.h). It moves numbers from shared memory to registers with many small
// loads, and it does not use the larger products and asynchronous copies of newer devices. cuBLAS does.
#include <mma.h>

#include "lab/piece.h"

LAB_NEEDS(wmma);
LAB_PRECISION(tf32);

#ifndef WARPS_X
#define WARPS_X 2
#endif
#ifndef WARPS_Y
#define WARPS_Y 4
#endif
#ifndef FRAGMENTS_X
#define FRAGMENTS_X 4
#endif
#ifndef FRAGMENTS_Y
#define FRAGMENTS_Y 2
#endif
#ifndef DEPTH
#define DEPTH 16
#endif

namespace wmma = nvcuda::wmma;
using Piece = lab::Piece<float>;
constexpr int edge = 16, step = 8;  // a tensor core multiplies 16 x 8 by 8 x 16
constexpr int warps = WARPS_X * WARPS_Y, threads_a_block = 32 * warps;
constexpr int rows = WARPS_Y * FRAGMENTS_Y * edge, columns = WARPS_X * FRAGMENTS_X * edge;
static_assert(threads_a_block <= 1024, "a thread block holds at most 1024 threads");
static_assert(DEPTH % step == 0, "DEPTH is a multiple of 8");

struct Tiles {
  // The padding makes rows begin in different banks.
  alignas(32) float a[rows][DEPTH + Piece::length];
  alignas(32) float b[DEPTH][columns + Piece::length];
};
struct Patch {
  alignas(32) float at[edge][edge + Piece::length];
};
union Shared {
  Tiles tiles[2];
  Patch patch[warps];  // after the last tiles
};
static_assert(sizeof(Shared) <= 48 * 1024,
              "the tiles must fit into 48 KiB: a smaller DEPTH, or fewer fragments");

/// Pieces of a tile that each thread fetches.
template <int count>
constexpr int share = (count / Piece::length + threads_a_block - 1) / threads_a_block;

struct Fetched {
  Piece a[share<rows * DEPTH>], b[share<columns * DEPTH>];
};

/// The pieces of both tiles that this thread fetches from global memory.
template <bool aligned>
__device__ __forceinline__ void fetch(const lab::Gemm<float>& g, int64_t top, int64_t left, int64_t p,
                                      Fetched& to) {
  constexpr int a_width = DEPTH / Piece::length, b_width = columns / Piece::length;
#pragma unroll
  for (int s = 0; s < share<rows * DEPTH>; ++s) {
    const int i = threadIdx.x + s * threads_a_block;
    const int64_t row = top + i / a_width;
    to.a[s] =
        lab::load_piece<aligned>(g.a + row * g.lda, p + i % a_width * Piece::length, row < g.m ? g.k : 0);
  }
#pragma unroll
  for (int s = 0; s < share<columns * DEPTH>; ++s) {
    const int i = threadIdx.x + s * threads_a_block;
    const int64_t row = p + i / b_width;
    to.b[s] =
        lab::load_piece<aligned>(g.b + row * g.ldb, left + i % b_width * Piece::length, row < g.k ? g.n : 0);
  }
}

__device__ __forceinline__ Piece rounded(Piece piece) {
#pragma unroll
  for (float& x : piece.at) x = wmma::__float_to_tf32(x);
  return piece;
}

__device__ __forceinline__ void store(const Fetched& from, Tiles& to) {
  constexpr int a_width = DEPTH / Piece::length, b_width = columns / Piece::length;
#pragma unroll
  for (int s = 0; s < share<rows * DEPTH>; ++s) {
    const int i = threadIdx.x + s * threads_a_block;
    if (i < rows * a_width)
      *reinterpret_cast<Piece*>(&to.a[i / a_width][i % a_width * Piece::length]) = rounded(from.a[s]);
  }
#pragma unroll
  for (int s = 0; s < share<columns * DEPTH>; ++s) {
    const int i = threadIdx.x + s * threads_a_block;
    if (i < DEPTH * b_width)
      *reinterpret_cast<Piece*>(&to.b[i / b_width][i % b_width * Piece::length]) = rounded(from.b[s]);
  }
}

using Sum = wmma::fragment<wmma::accumulator, edge, edge, step, float>;

/// Adds the product of two tiles to this warp's pieces of C, which begin at (y, x) of the tile.
__device__ __forceinline__ void multiply(const Tiles& tiles, int y, int x,
                                         Sum (&sum)[FRAGMENTS_Y][FRAGMENTS_X]) {
#pragma unroll
  for (int q = 0; q < DEPTH; q += step) {
    wmma::fragment<wmma::matrix_a, edge, edge, step, wmma::precision::tf32, wmma::row_major> a[FRAGMENTS_Y];
    wmma::fragment<wmma::matrix_b, edge, edge, step, wmma::precision::tf32, wmma::row_major> b[FRAGMENTS_X];
#pragma unroll
    for (int r = 0; r < FRAGMENTS_Y; ++r)
      wmma::load_matrix_sync(a[r], &tiles.a[y + r * edge][q], DEPTH + Piece::length);
#pragma unroll
    for (int s = 0; s < FRAGMENTS_X; ++s)
      wmma::load_matrix_sync(b[s], &tiles.b[q][x + s * edge], columns + Piece::length);
#pragma unroll
    for (int r = 0; r < FRAGMENTS_Y; ++r)
#pragma unroll
      for (int s = 0; s < FRAGMENTS_X; ++s) wmma::mma_sync(sum[r][s], a[r], b[s], sum[r][s]);
  }
}

/// Writes the piece of C at (row, col). It goes through the warp's own patch of shared memory.
template <bool aligned>
__device__ __forceinline__ void finish(const lab::Gemm<float>& g, int64_t row, int64_t col, const Sum& sum,
                                       Patch& patch) {
  constexpr int width = edge / Piece::length;
  wmma::store_matrix_sync(&patch.at[0][0], sum, edge + Piece::length, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x % 32; i < edge * width; i += 32) {
    const int y = i / width, x = i % width * Piece::length;
    lab::update_piece<aligned>(g, row + y, col + x, &patch.at[y][x]);
  }
  __syncwarp();  // before the next piece
}

template <bool aligned>
__global__ void __launch_bounds__(threads_a_block) gemm(lab::Gemm<float> g) {
  __shared__ Shared shared;
  const int64_t wide = (g.n + columns - 1) / columns;
  const int64_t top = blockIdx.x / wide * rows, left = blockIdx.x % wide * columns;
  const int warp = threadIdx.x / 32;
  const int y = warp / WARPS_X * FRAGMENTS_Y * edge, x = warp % WARPS_X * FRAGMENTS_X * edge;

  Sum sum[FRAGMENTS_Y][FRAGMENTS_X];
#pragma unroll
  for (auto& row : sum)
#pragma unroll
    for (Sum& piece : row) wmma::fill_fragment(piece, 0.0f);

  Fetched next;
  fetch<aligned>(g, top, left, 0, next);
  store(next, shared.tiles[0]);
  __syncthreads();
  int now = 0;
  for (int64_t p = 0; p < g.k; p += DEPTH, now ^= 1) {
    const bool more = p + DEPTH < g.k;
    if (more) fetch<aligned>(g, top, left, p + DEPTH, next);
    multiply(shared.tiles[now], y, x, sum);
    if (more) store(next, shared.tiles[now ^ 1]);
    __syncthreads();  // the next tiles are complete, and no thread reads these any more
  }
#pragma unroll
  for (int r = 0; r < FRAGMENTS_Y; ++r)
#pragma unroll
    for (int s = 0; s < FRAGMENTS_X; ++s)
      finish<aligned>(g, top + y + r * edge, left + x + s * edge, sum[r][s], shared.patch[warp]);
}

static int warp_size() {
  int lanes = 0;
  cudaDeviceGetAttribute(&lanes, cudaDevAttrWarpSize, 0);
  return lanes;
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  if (warp_size() != 32) throw lab::Unsupported("these tensor cores need warps of 32 lanes");
  const unsigned tiles = lab::blocks_for(g.n, columns) * lab::blocks_for(g.m, rows);
  if (lab::rows_aligned(g))
    gemm<true><<<tiles, threads_a_block, 0, stream>>>(g);
  else
    gemm<false><<<tiles, threads_a_block, 0, stream>>>(g);
}
