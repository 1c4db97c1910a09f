// gpu_register with a tile for every warp, and STAGES pairs of tiles that copy themselves into shared memory.
//
// Against gpu_register, three things:
//   The 32 threads of a warp lie 8 x 4 on a nearly square tile instead of along two rows. They share more of
//     what they read, so a step takes fewer passes over shared memory.
//   Asynchronous copies bring the tiles: no registers are needed for what is under way, so there is room for
//     twice as many sums a thread and for tiles that are two rounds ahead.
//   The numbers of the next step are read from shared memory while those of this one are multiplied, also
//     across the border between two tiles.
//
// A block has WARPS_Y x WARPS_X warps; each thread computes TM x TN elements, in f64 half as many rows. The
// tile of A is transposed on its way, one number a copy; its lines are padded so that a warp's copies meet no
// bank twice.
//
// Limit: the multiply-adds. With one block a multiprocessor, tiles that do not fill the last round of the
// device show: small matrices want smaller tiles.
#include "lab/async.h"
#include "lab/piece.h"

using lab::Piece;

#ifndef WARPS_X
#define WARPS_X 2
#endif
#ifndef WARPS_Y
#define WARPS_Y 4
#endif
#ifndef TM
#define TM 16
#endif
#ifndef TN
#define TN 8
#endif
#ifndef DEPTH
#define DEPTH 8
#endif
#ifndef STAGES
#define STAGES 3
#endif
#ifndef GROUP
#define GROUP 8
#endif
#ifndef RESIDENT
#define RESIDENT 1
#endif
constexpr int lanes_x = 8, lanes_y = 4;
constexpr int threads_a_block = 32 * WARPS_X * WARPS_Y;
static_assert(threads_a_block <= 1024, "a thread block holds at most 1024 threads: 32 warps");
static_assert(TM % 8 == 0 && TN % 4 == 0, "TM is a multiple of 8 and TN of 4: a load is 16 bytes");
static_assert(DEPTH % 8 == 0, "DEPTH is a multiple of 8");
static_assert(STAGES >= 2, "one pair of tiles is computed on while another is copied: STAGES is 2 at least");

/// Rows of a thread's tile, of a block's tile, and steps of k that a pair of tiles covers.
template <class T>
constexpr int thread_rows = TM * 4 / sizeof(T);
template <class T>
constexpr int rows = WARPS_Y* lanes_y* thread_rows<T>;
constexpr int columns = WARPS_X * lanes_x * TN;
template <class T>
constexpr int depth = DEPTH * 4 / sizeof(T);

template <class T>
struct Tiles {
  T a[depth<T>][rows<T> + Piece<T>::length];  // transposed
  T b[depth<T>][columns];
};

/// Begins the copies of the tiles at (top, p) of A and (p, left) of B. Beyond the edges they bring zeros.
template <bool aligned, class T>
__device__ __forceinline__ void begin_copies(const lab::Gemm<T>& g, int64_t top, int64_t left, int64_t p,
                                             Tiles<T>& to) {
  constexpr int one = sizeof(T), length = aligned ? Piece<T>::length : 1, width = columns / length;
  constexpr int a_count = rows<T> * depth<T>, b_count = depth<T> * width;
#pragma unroll
  for (int i = threadIdx.x; i < a_count; i += threads_a_block) {
    const int64_t row = top + i / depth<T>, col = p + i % depth<T>;
    const bool inside = row < g.m && col < g.k;
    lab::copy_async<one>(&to.a[i % depth<T>][i / depth<T>], inside ? g.a + row * g.lda + col : g.a,
                         inside ? one : 0);
  }
#pragma unroll
  for (int i = threadIdx.x; i < b_count; i += threads_a_block) {
    const int64_t row = p + i / width, col = left + i % width * length;
    const int64_t there = row < g.k && col < g.n ? g.n - col : 0;
    lab::copy_async<length * one>(&to.b[i / width][i % width * length],
                                  there > 0 ? g.b + row * g.ldb + col : g.b,
                                  static_cast<int>(there < length ? there : length) * one);
  }
  lab::close_group();
}

/// `count` numbers of a line of shared memory: pieces, `apart` pieces from one to the next.
template <int apart, int count, class T>
__device__ __forceinline__ void take(T (&to)[count], const T* line) {
  constexpr int length = Piece<T>::length;
#pragma unroll
  for (int s = 0; s < count / length; ++s) {
    const Piece<T> piece = *reinterpret_cast<const Piece<T>*>(line + s * apart * length);
#pragma unroll
    for (int e = 0; e < length; ++e) to[s * length + e] = piece.at[e];
  }
}

template <bool aligned, class T>
__global__ void __launch_bounds__(threads_a_block, RESIDENT) gemm(lab::Gemm<T> g) {
  constexpr int length = Piece<T>::length, tm = thread_rows<T>, steps = depth<T>;
  alignas(16) __shared__ Tiles<T> tiles[STAGES];
  static_assert(sizeof tiles <= 48 * 1024,
                "the tiles must fit into 48 KiB: fewer STAGES, smaller DEPTH or TM");
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int y = warp / WARPS_X * lanes_y * tm + lane / lanes_x * length;  // of this thread's first piece
  const int x = warp % WARPS_X * lanes_x * TN + lane % lanes_x * length;
  // Tiles are counted down GROUP rows of tiles, then along.
  const int64_t wide = (g.n + columns - 1) / columns, high = (g.m + rows<T> - 1) / rows<T>;
  const int64_t first = blockIdx.x / (wide * GROUP) * GROUP, in_group = blockIdx.x % (wide * GROUP);
  const int64_t group = high - first < GROUP ? high - first : GROUP;
  const int64_t top = (first + in_group % group) * rows<T>, left = in_group / group * columns;

#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) begin_copies<aligned>(g, top, left, s * steps, tiles[s]);
  lab::wait_for_groups<STAGES - 2>();
  __syncthreads();  // the first tiles are complete

  T sum[tm][TN] = {};
  T a[2][tm], b[2][TN];  // of this step and of the next
  take<lanes_y>(a[0], &tiles[0].a[0][y]);
  take<lanes_x>(b[0], &tiles[0].b[0][x]);
  int now = 0, free = STAGES - 1;
  for (int64_t p = 0; p < g.k; p += steps) {
    const int next = now + 1 == STAGES ? 0 : now + 1;
#pragma unroll
    for (int q = 0; q < steps; ++q) {
      const bool last = q == steps - 1;
      if (last) {
        lab::wait_for_groups<STAGES - 2>();
        __syncthreads();  // the next tiles are complete, and nobody reads these any more
      }
      const Tiles<T>& from = tiles[last ? next : now];
      take<lanes_y>(a[(q + 1) % 2], &from.a[(q + 1) % steps][y]);
      take<lanes_x>(b[(q + 1) % 2], &from.b[(q + 1) % steps][x]);
      if (q == 0) begin_copies<aligned>(g, top, left, p + (STAGES - 1) * steps, tiles[free]);
#pragma unroll
      for (int r = 0; r < tm; ++r)
#pragma unroll
        for (int s = 0; s < TN; ++s) sum[r][s] += a[q % 2][r] * b[q % 2][s];
    }
    free = now;
    now = next;
  }
#pragma unroll
  for (int r = 0; r < tm; ++r)
#pragma unroll
    for (int s = 0; s < TN; s += length)
      lab::update_piece<aligned>(g, top + y + r / length * lanes_y * length + r % length,
                                 left + x + s * lanes_x, &sum[r][s]);
}

template <class T>
static void launch(const lab::Gemm<T>& g, lab::Stream stream) {
  const unsigned tiles = lab::blocks_for(g.n, columns) * lab::blocks_for(g.m, rows<T>);
  if (lab::rows_aligned(g))
    gemm<true><<<tiles, threads_a_block, 0, stream>>>(g);
  else
    gemm<false><<<tiles, threads_a_block, 0, stream>>>(g);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { launch(g, stream); }
LAB_GEMM_GPU(double)(const lab::Gemm<double>& g, lab::Stream stream) { launch(g, stream); }
