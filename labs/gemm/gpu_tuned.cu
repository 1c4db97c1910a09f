// The fastest rung: tiles chosen by size, copies that bypass registers, f64 on the tensor cores.
//
// Against gpu_register: a thread computes up to 16 x 8 sums, so it loads less from shared memory per
// product. Tiles arrive by asynchronous copies, up to three pairs ahead. A thread loads what a step of k
// needs into registers one step ahead, across the barrier too. The first pair of tiles takes what is left
// over of k, so that the main loop has no checks. In f64 the tensor cores multiply (mma.sync), in full
// precision. Matrices whose rows do not begin at multiples of 16 bytes are copied first.
//
// Small or narrow problems have too few tiles for all multiprocessors: then several blocks share the steps
// of k of one tile, and a second kernel adds up their parts. choose() estimates which tile and how many
// parts are fastest.
//
// What it bought on an H200, TFLOP/s at n = 2048 and 4096. f32: tiles of 256 x 128 with 16 x 8 sums a
// thread and asynchronous copies 39 and 41, registers loaded a step ahead 42 and 44, a main loop without
// checks and branches 47 and 49, products in an order that shares registers 48.5 and 50.4, the address of
// each row kept in a register instead of computed for each copy 49.5 and 51.7; cuBLAS has 49.1 and 50.5.
// Copying B and the sums of C made 4097 x 4095 x 4093 8 % faster. f64: loads of two neighbours in k, which
// the compiler had to move between registers, 32 and 34; loads in the order of the tensor cores 42 and 44; a
// main loop without checks, smaller tiles and three blocks per multiprocessor 50 and 52. At n = 1024, where a
// multiprocessor has two tiles, eight warps a tile instead of four: 44.0 instead of 40.6.
//
// Limit: the multiply-adds. In f32, 91 of 100 instructions are FFMA. docs/performance.md compares with cuBLAS.
//
// Drawing:
//   product
//   rows = bytes == 4 ? 256 : 64; columns = bytes == 4 ? 128 : 64; threads = bytes == 4 ? 256 : 128
//   depth = bytes == 4 ? 8 : 16; buffers = 4
//   thread_rows = bytes == 4 ? 16 : 4; piece_rows = bytes == 4 ? 4 : 1; step_rows = bytes == 4 ? 16 : 8
//   thread_columns = 8; piece_columns = 16 / bytes; step_columns = bytes == 4 ? 32 : 8
//   row = bytes == 4 ? t / 64 * 64 + (t % 2 + t % 32 / 16 * 2) * 4 : t / 64 * 32 + t % 32 / 4
//   column = bytes == 4 ? t / 32 % 2 * 64 + t % 32 / 2 % 8 * 4 : t / 32 % 2 * 32 + t % 4 * 2
//   Drawn is the tile for large problems; choose() takes smaller ones for small problems.
#include <cuda_pipeline.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "lab/mma_f64.h"
#include "lab/piece.h"

LAB_NEEDS(wmma);

using lab::Piece;

#ifndef GROUP
#define GROUP 8
#endif

/// How a block of threads computes a tile of C: WarpsDown x WarpsAlong warps share it. Slices such groups of
/// warps take turns with the steps of k, and add up at the end. Stages pairs of tiles of A and B, Depth steps
/// of k each, are in shared memory at once. A multiprocessor holds Resident blocks.
template <int Rows, int Columns, int Depth, int WarpsDown, int WarpsAlong, int Slices, int Stages, int Resident>
struct Tile {
  static constexpr int rows = Rows, columns = Columns, depth = Depth;
  static constexpr int slices = Slices, stages = Stages, resident = Resident;
  static constexpr int warps_along = WarpsAlong, warps_a_slice = WarpsDown * WarpsAlong;
  static constexpr int threads = 32 * warps_a_slice * Slices;
  static constexpr int warp_rows = Rows / WarpsDown, warp_columns = Columns / WarpsAlong;
};

/// The lanes of a warp lie down x along; each holds runs of neighbours in a row of C, 16 bytes each.
template <class T>
constexpr int lanes_down = sizeof(T) == 4 ? 4 : 8;
template <class T>
constexpr int lanes_along = 32 / lanes_down<T>;
template <class T>
constexpr int run = Piece<T>::length;

/// A pair of tiles in shared memory. The padding spreads what a warp reads or writes at once over all banks.
template <class T, class Tile>
struct Stage;
template <class Tile>
struct Stage<float, Tile> {
  alignas(16) float a[Tile::depth][Tile::rows + 4];  // transposed: a lane reads neighbours in a column of A
  alignas(16) float b[Tile::depth][Tile::columns];
};
template <class Tile>
struct Stage<double, Tile> {
  alignas(16) double a[Tile::rows][Tile::depth + 4];
  alignas(16) double b[Tile::depth][Tile::columns + 4];
};

/// A lane's part of the sums of its warp.
template <class T, class Tile>
struct Sums {
  static constexpr int down = Tile::warp_rows / lanes_down<T>;
  static constexpr int along = Tile::warp_columns / (run<T> * lanes_along<T>);
  T at[down][along][run<T>];
};

/// Where a lane works: its warp's corner in the tile, its own position in the warp.
template <class T, class Tile>
struct Position {
  int slice, top, left, y, x;

  __device__ __forceinline__ Position() {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, in_slice = warp % Tile::warps_a_slice;
    slice = warp / Tile::warps_a_slice;
    top = in_slice / Tile::warps_along * Tile::warp_rows;
    left = in_slice % Tile::warps_along * Tile::warp_columns;
    if (sizeof(T) == 4) {  // each quarter of a warp reads few different pieces
      y = lane % 2 + lane / 16 * 2;
      x = lane / 2 % 8;
    } else {  // as the tensor cores want it
      y = lane / 4;
      x = lane % 4;
    }
  }
  /// Where in the tile the sums at[r][c] are.
  __device__ __forceinline__ int row(int r) const {
    return top + (sizeof(T) == 4 ? (y + lanes_down<T> * (r / 4)) * 4 + r % 4 : y + lanes_down<T> * r);
  }
  __device__ __forceinline__ int column(int c) const { return left + run<T> * (x + lanes_along<T> * c); }
};

/// Moves tiles of A and B to shared memory without passing through registers. Elements go 16 bytes at a time,
/// but those of A in f32, which are transposed on the way, one by one.
template <class T, class Tile>
class Copier {
 public:
  __device__ __forceinline__ Copier(const lab::Gemm<T>& g, int64_t top, int64_t left, int64_t first)
      : ldb_(g.ldb),
        lda_bytes_(static_cast<int>(g.lda * sizeof(T))),
        last_row_(static_cast<int>(g.m - top < Tile::rows ? g.m - top : Tile::rows) - 1) {
    // Beyond the last row of A is a copy of it, beyond the last piece of B the first: these sums are never
    // written.
    const int64_t column = left + b_column();
    const T* const tile = g.a + top * g.lda + first + a_column();
#pragma unroll
    for (int s = 0; s < kept<a_rows>; ++s) a_[s] = keep ? down(tile, s) : tile;
#pragma unroll
    for (int s = 0; s < kept<b_rows>; ++s)
      b_[s] = g.b + (first + b_row() + s * b_step) * g.ldb + (column < g.n ? column : 0);
  }

  /// The next pair.
  __device__ __forceinline__ void copy(Stage<T, Tile>& to) { copy<true>(to, Tile::depth); }
  /// A pair with only `steps` of k, filled up with zeros.
  __device__ __forceinline__ void copy_some(Stage<T, Tile>& to, int steps) { copy<false>(to, steps); }

 private:
  static constexpr bool transposed = sizeof(T) == 4;
  static constexpr int a_at_once = transposed ? 1 : Piece<T>::length;
  static constexpr int a_width = transposed ? 8 : Tile::depth / a_at_once;              // threads side by side
  static constexpr int a_step = Tile::threads / a_width, a_rows = Tile::rows / a_step;  // rows of a thread
  static constexpr int b_at_once = Piece<T>::length;
  static constexpr int b_width = Tile::columns / b_at_once, b_step = Tile::threads / b_width;
  static constexpr int b_rows = Tile::depth / b_step;
  // A block that is alone on its multiprocessor has registers left for the address of each row.
  static constexpr bool keep = Tile::resident == 1;
  template <int rows>
  static constexpr int kept = keep ? rows : 1;
  static_assert(Tile::threads % a_width == 0 && Tile::rows % a_step == 0, "threads share the tile of A evenly");
  static_assert(Tile::threads % b_width == 0 && Tile::depth % b_step == 0, "threads share the tile of B evenly");

  __device__ static int a_row() { return threadIdx.x / a_width; }
  __device__ static int a_column() { return threadIdx.x % a_width * a_at_once; }
  __device__ static int b_row() { return threadIdx.x / b_width; }
  __device__ static int b_column() { return threadIdx.x % b_width * b_at_once; }

  template <bool whole>
  __device__ __forceinline__ void copy(Stage<T, Tile>& to, int steps) {
#pragma unroll
    for (int s = 0; s < a_rows; ++s)
#pragma unroll
      for (int p = 0; p < Tile::depth; p += a_width * a_at_once) {
        const int row = a_row() + s * a_step, k = a_column() + p;
        const T* const from = keep ? a_[s % kept<a_rows>] : down(a_[0], s);
        some<a_at_once>(transposed ? &to.a[k][row] : &to.a[row][k], from + p, whole || k < steps);
      }
#pragma unroll
    for (int s = 0; s < b_rows; ++s) {
      const T* const from = keep ? b_[s % kept<b_rows>] : b_[0] + s * b_step * ldb_;
      const int row = b_row() + s * b_step;
      some<b_at_once>(&to.b[row][b_column()], from, whole || row < steps);
    }
#pragma unroll
    for (const T*& row : a_) row += steps;
#pragma unroll
    for (const T*& row : b_) row += steps * ldb_;
  }

  /// The address in the s-th of this thread's rows, from that in the first row of the tile.
  __device__ __forceinline__ const T* down(const T* first, int s) const {
    const int row = a_row() + s * a_step;
    return reinterpret_cast<const T*>(reinterpret_cast<const char*>(first) +
                                      static_cast<int64_t>(row < last_row_ ? row : last_row_) * lda_bytes_);
  }

  template <int at_once>
  __device__ static __forceinline__ void some(T* to, const T* from, bool exist) {
    if (exist) {
      __pipeline_memcpy_async(to, from, at_once * sizeof(T));
    } else {
#pragma unroll
      for (int e = 0; e < at_once; ++e) to[e] = 0;
    }
  }

  const T *a_[kept<a_rows>], *b_[kept<b_rows>];
  const int64_t ldb_;
  const int lda_bytes_, last_row_;
};

/// What a lane needs of A and B for one step, in registers.
template <class T, class Tile>
struct Fragments;

template <class Tile>
struct Fragments<float, Tile> {
  using Sum = Sums<float, Tile>;
  static constexpr int steps = 1;  // of k
  Piece<float> a[Sum::down / 4], b[Sum::along];

  __device__ __forceinline__ void load(const Stage<float, Tile>& from, int k, const Position<float, Tile>& at) {
#pragma unroll
    for (int r = 0; r < Sum::down / 4; ++r) a[r] = *reinterpret_cast<const Piece<float>*>(&from.a[k][at.row(4 * r)]);
#pragma unroll
    for (int c = 0; c < Sum::along; ++c) b[c] = *reinterpret_cast<const Piece<float>*>(&from.b[k][at.column(c)]);
  }
  __device__ __forceinline__ void multiply(Sum& sums) const {
    // There and back, so that each product shares a register with the one before: that saves reads of
    // registers.
#pragma unroll
    for (int r = 0; r < Sum::down; ++r)
#pragma unroll
      for (int i = 0; i < 4 * Sum::along; ++i) {
        const int x = r % 2 ? 4 * Sum::along - 1 - i : i;
        sums.at[r][x / 4][x % 4] += a[r / 4].at[r % 4] * b[x / 4].at[x % 4];
      }
  }
};
template <class Tile>
struct Fragments<double, Tile> {
  using Sum = Sums<double, Tile>;
  static constexpr int steps = 8;
  double a[Sum::down / 2][steps / 2], b[Sum::along][steps / 4];

  __device__ __forceinline__ void load(const Stage<double, Tile>& from, int k, const Position<double, Tile>& at) {
#pragma unroll
    for (int r = 0; r < Sum::down / 2; ++r)
#pragma unroll
      for (int i = 0; i < steps / 2; ++i) a[r][i] = from.a[at.row(2 * r + i % 2)][k + at.x + i / 2 * 4];
#pragma unroll
    for (int c = 0; c < Sum::along; ++c)
#pragma unroll
      for (int i = 0; i < steps / 4; ++i) b[c][i] = from.b[k + at.x + i * 4][at.left + 8 * c + at.y];
  }
  __device__ __forceinline__ void multiply(Sum& sums) const {
#pragma unroll
    for (int r = 0; r < Sum::down / 2; ++r)
#pragma unroll
      for (int c = 0; c < Sum::along; ++c) lab::multiply_add(sums.at[2 * r][c], sums.at[2 * r + 1][c], a[r], b[c]);
  }
};

/// Adds the sums of all slices to those of the first, through shared memory.
template <class T, class Tile>
__device__ __forceinline__ void add_slices(Sums<T, Tile>& sums, T* shelf, int slice) {
  using Sum = Sums<T, Tile>;
  constexpr int threads = 32 * Tile::warps_a_slice;
  const int thread = threadIdx.x % threads;
  __syncthreads();  // nobody reads the tiles any more
#pragma unroll
  for (int r = 0; r < Sum::down; ++r)
#pragma unroll
    for (int c = 0; c < Sum::along; ++c)
#pragma unroll
      for (int i = 0; i < run<T>; ++i)
        if (slice > 0)
          shelf[(((slice - 1) * Sum::down + r) * Sum::along + c) * run<T> * threads + i * threads + thread] =
              sums.at[r][c][i];
  __syncthreads();
  if (slice > 0) return;
#pragma unroll
  for (int other = 0; other < Tile::slices - 1; ++other)
#pragma unroll
    for (int r = 0; r < Sum::down; ++r)
#pragma unroll
      for (int c = 0; c < Sum::along; ++c)
#pragma unroll
        for (int i = 0; i < run<T>; ++i)
          sums.at[r][c][i] +=
              shelf[((other * Sum::down + r) * Sum::along + c) * run<T> * threads + i * threads + thread];
}

template <class T, class Tile>
constexpr size_t shared_bytes = sizeof(Stage<T, Tile>) * Tile::stages;

/// Each blockIdx.y takes k_part steps of k and has a C of its own, whose rows begin at multiples of 16 bytes.
template <class Tile, class T>
__global__ void __launch_bounds__(Tile::threads, Tile::resident) gemm(lab::Gemm<T> g, int64_t k_part) {
  static_assert((Tile::slices - 1) * Tile::rows * Tile::columns * sizeof(T) <= shared_bytes<T, Tile>,
                "the sums of the slices must fit into the tiles' place");
  extern __shared__ __align__(16) char shared[];
  auto* const stages = reinterpret_cast<Stage<T, Tile>*>(shared);
  // Tiles are counted down GROUP rows of tiles, then along, so that blocks that run at once share A and B.
  const int64_t wide = (g.n + Tile::columns - 1) / Tile::columns, high = (g.m + Tile::rows - 1) / Tile::rows;
  const int64_t first_row = blockIdx.x / (wide * GROUP) * GROUP, in_group = blockIdx.x % (wide * GROUP);
  const int64_t group = high - first_row < GROUP ? high - first_row : GROUP;
  const int64_t top = (first_row + in_group % group) * Tile::rows, left = in_group / group * Tile::columns;
  const int64_t first = blockIdx.y * k_part, end = first + k_part < g.k ? first + k_part : g.k;
  const int rounds = static_cast<int>((end - first + Tile::depth - 1) / Tile::depth);

  const Position<T, Tile> at;
  Copier<T, Tile> copier(g, top, left, first);
  Sums<T, Tile> sums = {};
  // The first pair is the one that may be incomplete, so that the loop below need not ask.
  copier.copy_some(stages[0], static_cast<int>(end - first) - (rounds - 1) * Tile::depth);
  __pipeline_commit();
#pragma unroll
  for (int s = 1; s < Tile::stages - 1; ++s) {
    if (s < rounds) copier.copy(stages[s]);
    __pipeline_commit();
  }
  __pipeline_wait_prior(Tile::stages - 2);
  __syncthreads();  // the first tiles are complete
  using Fragment = Fragments<T, Tile>;
  constexpr int steps = Tile::depth / Fragment::steps / Tile::slices;
  static_assert(steps >= 2 && steps % 2 == 0, "fragments are loaded a step ahead, in turns");
  const int own = at.slice * steps * Fragment::steps;  // the first step of k in a tile that this slice takes
  Fragment fragments[2];
  fragments[0].load(stages[0], own, at);
  int now = 0, last = Tile::stages - 1;
  const auto take = [&](auto copies, bool more) {
#pragma unroll
    for (int q = 0; q < steps; ++q) {
      if (q == steps - 1) {
        last = now;
        now = now + 1 < Tile::stages ? now + 1 : 0;
        __pipeline_wait_prior(Tile::stages - 2);
        __syncthreads();  // the next tiles are complete, and nobody reads these any more
      }
      if (q < steps - 1 || more) fragments[(q + 1) % 2].load(stages[now], own + (q + 1) % steps * Fragment::steps, at);
      if (q == 0) {
        if (copies.value) copier.copy(stages[last]);
        __pipeline_commit();
      }
      fragments[q % 2].multiply(sums);
    }
  };
  int round = 0;
#pragma unroll 1
  for (; round < rounds - (Tile::stages - 1); ++round) take(std::true_type{}, true);
#pragma unroll 1
  for (; round < rounds; ++round) take(std::false_type{}, round + 1 < rounds);
  if (Tile::slices > 1) add_slices(sums, reinterpret_cast<T*>(shared), at.slice);
  if (at.slice > 0) return;
  g.c += blockIdx.y * g.m * g.ldc;
#pragma unroll
  for (int r = 0; r < Sums<T, Tile>::down; ++r)
#pragma unroll
    for (int c = 0; c < Sums<T, Tile>::along; ++c)
      lab::update_piece<true>(g, top + at.row(r), left + at.column(c), sums.at[r][c]);
}

/// C from the `parts` partial sums that blocks left behind each other, `pitch` elements a row. A thread takes
/// `length` neighbours: a whole piece, or one if the rows of C are not aligned.
template <int length, class T>
__global__ void add_parts(lab::Gemm<T> g, const T* from, int64_t pitch, int parts) {
  const int64_t col = (int64_t{blockIdx.x} * blockDim.x + threadIdx.x) * length;
  if (col >= g.n) return;
  for (int64_t row = int64_t{blockIdx.y} * blockDim.y + threadIdx.y; row < g.m; row += gridDim.y * blockDim.y) {
    Piece<T> sum{};
#pragma unroll 4
    for (int part = 0; part < parts; ++part) {
      const T* const line = from + (part * g.m + row) * pitch;
      if (length == 1) {
        sum.at[0] += line[col];
      } else {
        const Piece<T> more = lab::load_piece<true>(line, col, g.n);
#pragma unroll
        for (int e = 0; e < length; ++e) sum.at[e] += more.at[e];
      }
    }
    if (length == 1)
      lab::update(g.c[row * g.ldc + col], sum.at[0], g.alpha, g.beta);
    else
      lab::update_piece<true>(g, row, col, sum.at);
  }
}

/// Copies a matrix of whole rows of pieces, and fills up with zeros what is beyond the one given.
template <class T>
__global__ void fill_up(const T* from, int64_t ld, int64_t rows, int64_t columns, T* to, int64_t to_rows,
                        int64_t pitch) {
  const int64_t col = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (col >= pitch) return;
  for (int64_t row = int64_t{blockIdx.y} * blockDim.y + threadIdx.y; row < to_rows; row += gridDim.y * blockDim.y)
    to[row * pitch + col] = row < rows && col < columns ? from[row * ld + col] : T(0);
}

/// Elements in a row of whole pieces.
template <class T>
static int64_t pitch(int64_t columns) {
  return (columns + Piece<T>::length - 1) / Piece<T>::length * Piece<T>::length;
}

static void demand(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

/// Takes memory from the work space, piece by piece. Before there is a work space it only counts.
class Space {
 public:
  explicit Space(void* begin) : begin_(static_cast<char*>(begin)) {}
  template <class T>
  T* take(int64_t count) {
    T* const taken = begin_ ? reinterpret_cast<T*>(begin_ + bytes_) : nullptr;
    bytes_ += (count * sizeof(T) + 255) / 256 * 256;
    return taken;
  }
  size_t bytes() const { return bytes_; }

 private:
  char* begin_;
  size_t bytes_ = 0;
};

/// Replaces a matrix of other than whole pieces, or of too few rows, by a copy.
template <class T>
static void align(const T*& matrix, int64_t& ld, int64_t rows, int64_t columns, int64_t to_rows, Space& space,
                  lab::Stream stream) {
  const int64_t wide = pitch<T>(columns);
  if (wide == columns && to_rows == rows && ld % Piece<T>::length == 0) return;
  T* const to = space.take<T>(to_rows * wide);
  if (!to) return;
  const dim3 block(64, 4);
  fill_up<<<lab::grid_for(wide, to_rows, block), block, 0, stream>>>(matrix, ld, rows, columns, to, to_rows, wide);
  matrix = to;
  ld = wide;
}

/// Copies of A and B where their rows are not whole pieces. In f64 the steps of k are those of A's pieces.
template <class T>
static void align(lab::Gemm<T>& g, Space& space, lab::Stream stream) {
  const int64_t k = sizeof(T) == 8 ? pitch<T>(g.k) : g.k;
  if (sizeof(T) == 8) align(g.a, g.lda, g.m, g.k, g.m, space, stream);
  align(g.b, g.ldb, g.k, g.n, k, space, stream);
  g.k = k;
}

/// Computes C, by way of the `sums` of all parts if there is such a place.
template <class Tile, class T>
static void launch(const lab::Gemm<T>& g, int parts, T* sums, lab::Stream stream) {
  const auto kernel = gemm<Tile, T>;
  demand(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(shared_bytes<T, Tile>)));
  const int64_t k_part = ((g.k + parts - 1) / parts + Tile::depth - 1) / Tile::depth * Tile::depth;
  const dim3 grid(lab::blocks_for(g.n, Tile::columns) * lab::blocks_for(g.m, Tile::rows),
                  lab::blocks_for(g.k, static_cast<unsigned>(k_part)));
  if (!sums) {
    kernel<<<grid, Tile::threads, shared_bytes<T, Tile>, stream>>>(g, k_part);
    return;
  }
  lab::Gemm<T> partial = g;
  partial.alpha = 1;
  partial.beta = 0;
  partial.c = sums;
  partial.ldc = pitch<T>(g.n);
  kernel<<<grid, Tile::threads, shared_bytes<T, Tile>, stream>>>(partial, k_part);
  constexpr int length = Piece<T>::length;
  const dim3 block(32, 4);
  if (g.ldc % length == 0)
    add_parts<length>
        <<<lab::grid_for(partial.ldc / length, g.m, block), block, 0, stream>>>(g, sums, partial.ldc, grid.y);
  else
    add_parts<1><<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g, sums, partial.ldc, grid.y);
}

template <class T>
struct Choice {
  void (*launch)(const lab::Gemm<T>&, int parts, T* sums, lab::Stream);
  int parts;
  double cycles;
};

/// Takes this tile shape where it is estimated to be faster. A multiprocessor does 128 multiply-adds a cycle,
/// in f64 too; the other numbers are measured on an H200.
template <class Tile, class T>
static void consider(const lab::Gemm<T>& g, int multiprocessors, double efficiency, Choice<T>& best) {
  constexpr double start_and_end = 5000, second_kernel = 4000, bytes_a_cycle = 1100;
  const int64_t tiles = (g.m + Tile::rows - 1) / Tile::rows * ((g.n + Tile::columns - 1) / Tile::columns);
  for (int parts = 1; parts <= 16; ++parts) {
    const int64_t blocks = (tiles * parts + multiprocessors - 1) / multiprocessors;  // on the busiest one
    const auto warps = static_cast<double>(std::min<int64_t>(blocks, Tile::resident) * Tile::threads / 32);
    const double busy = sizeof(T) == 4 ? (warps >= 8 ? 1 : 0.75) : std::min(1.0, std::sqrt(warps / 12));
    const double steps = static_cast<double>(blocks) * static_cast<double>((g.k + parts - 1) / parts);
    const auto turns = static_cast<double>((blocks + Tile::resident - 1) / Tile::resident);
    double cycles = turns * start_and_end + steps * Tile::rows * Tile::columns / 128 / efficiency / busy;
    if (parts > 1) cycles += second_kernel + static_cast<double>(g.m * g.n * parts * sizeof(T)) / bytes_a_cycle;
    if (cycles >= best.cycles) continue;
    best = {launch<Tile, T>, parts, cycles};
  }
}

static int multiprocessors() {
  int device = 0, count = 0;
  demand(cudaGetDevice(&device));
  demand(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return count;
}

static Choice<float> choose(const lab::Gemm<float>& g) {
  Choice<float> best{nullptr, 1, std::numeric_limits<double>::infinity()};
  consider<Tile<128, 256, 8, 2, 4, 1, 4, 1>>(g, multiprocessors(), 0.80, best);
  consider<Tile<256, 128, 8, 4, 2, 1, 4, 1>>(g, multiprocessors(), 0.80, best);
  consider<Tile<128, 128, 8, 2, 2, 1, 4, 2>>(g, multiprocessors(), 0.78, best);
  consider<Tile<64, 128, 8, 2, 2, 1, 4, 3>>(g, multiprocessors(), 0.76, best);
  if (g.k >= 2048) consider<Tile<64, 128, 16, 2, 2, 1, 3, 3>>(g, multiprocessors(), 0.785, best);
  return best;
}

static Choice<double> choose(const lab::Gemm<double>& g) {
  Choice<double> best{nullptr, 1, std::numeric_limits<double>::infinity()};
  consider<Tile<64, 64, 16, 2, 2, 1, 4, 3>>(g, multiprocessors(), 0.8, best);
  consider<Tile<64, 64, 32, 4, 2, 1, 3, 2>>(g, multiprocessors(), 0.79, best);  // more warps, for few tiles
  return best;
}

/// Computes, or only counts the bytes of work space while there is none.
template <class T>
static size_t multiply(lab::Gemm<T> g, lab::Stream stream) {
  if (g.lda > std::numeric_limits<int>::max() / static_cast<int64_t>(sizeof(T)))
    throw lab::Unsupported("rows of A at most 2 GiB apart");
  if ((reinterpret_cast<uintptr_t>(g.a) | reinterpret_cast<uintptr_t>(g.b) | reinterpret_cast<uintptr_t>(g.c)) % 16)
    throw lab::Unsupported("matrices that begin at multiples of 16 bytes only");
  const Choice<T> choice = choose(g);
  Space space(g.workspace);
  align(g, space, stream);
  const bool to_sums = choice.parts > 1 || g.ldc % Piece<T>::length != 0;
  T* const sums = to_sums ? space.take<T>(choice.parts * g.m * pitch<T>(g.n)) : nullptr;
  if (g.c) choice.launch(g, choice.parts, sums, stream);
  return space.bytes();
}

LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) { return multiply(g, nullptr); }
LAB_GEMM_WORKSPACE(double)(const lab::Gemm<double>& g) { return multiply(g, nullptr); }
LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { multiply(g, stream); }
LAB_GEMM_GPU(double)(const lab::Gemm<double>& g, lab::Stream stream) { multiply(g, stream); }
