// Tiles of the image with their border (halo) go through shared memory; a thread computes several results.
//
// Compared with gpu_naive: each pixel of a tile is read from global memory once, in vectors of 16 bytes if
// the rows of the image allow it. The test for the border of the image is made there, once per pixel, and
// not in the computation. The filter of a channel is in registers, and a number from shared memory is used
// for all rows of a thread's results that need it: up to 3 for 3 x 3 and stride 1. A thread computes ROWS
// x COLS results with stride 1, fewer with a larger stride.
//
// The results of a warp are neighbours (a thread has columns x, x + 32, ...), so stores are wide, and with
// stride 1 or 3 the lanes read from different banks of shared memory. With stride 2 two lanes share a
// bank.
//
// This is for filters of 3 x 3 with stride 1, 2 or 3. For all others each thread computes one result.
//
// What limits it: memory, for few filters. Every filter loads the tile again (from L2, because the filter
// number changes fastest); for many filters a thread should compute the results of several.
//
// Drawing:
//   window
//   rows = 8 * ROWS; columns = 32 * COLS; threads = 256
//   thread_rows = ROWS; thread_columns = COLS; piece_columns = 1; step_columns = 32
//   row = t / 32 * ROWS; column = t % 32
//   window = 3; stride = 1; shared = 1
//   Drawn for a filter of 3 x 3 and stride 1.
#include "lab/conv2d.h"

#ifndef ROWS
#define ROWS 4
#endif
#ifndef COLS
#define COLS 4
#endif
constexpr int lanes = 32, warps = 8, threads_a_block = lanes * warps;

/// Results per thread and per block: fewer with a large stride, so that their pixels fit into shared memory.
template <int STRIDE>
struct Tile {
  static constexpr int thread_rows = ROWS > STRIDE ? ROWS / STRIDE : 1;
  static constexpr int thread_cols = COLS > STRIDE ? COLS / STRIDE : 1;
  static constexpr int rows = warps * thread_rows, cols = lanes * thread_cols;
};

LAB_HOST_DEVICE inline int64_t tiles(int64_t count, int64_t tile) { return (count + tile - 1) / tile; }

/// Four floats or two doubles: the most that one load can fetch.
template <class T>
struct alignas(16) Vector {
  static constexpr int size = 16 / sizeof(T);
  T element[size];
};

/// The pixels that one tile of results needs. Rows begin at a multiple of a vector, up to a vector before the
/// first pixel.
template <class T, int EDGE, int STRIDE>
struct Pixels {
  static constexpr int rows = (Tile<STRIDE>::rows - 1) * STRIDE + EDGE;
  static constexpr int most_cols = (Tile<STRIDE>::cols - 1) * STRIDE + EDGE + Vector<T>::size - 1;
  static constexpr int cols = (most_cols + Vector<T>::size - 1) / Vector<T>::size * Vector<T>::size;
  alignas(16) T at[rows][cols];
  static_assert(sizeof(T) * rows * cols <= (48 << 10),
                "the tile exceeds shared memory: choose fewer ROWS or COLS");
};

/// Fetches the tile whose first pixel is (top, left), with 0 outside the image. `left` is a multiple of a
/// vector.
template <bool whole_vectors, class T, int EDGE, int STRIDE>
__device__ void load(const lab::Conv2d<T>& c, const T* image, int64_t top, int64_t left,
                     Pixels<T, EDGE, STRIDE>& pixels) {
  using P = Pixels<T, EDGE, STRIDE>;
  constexpr int size = whole_vectors ? Vector<T>::size : 1, across = P::cols / size;
  for (int i = threadIdx.x; i < P::rows * across; i += threads_a_block) {
    const int row = i / across, col = i % across * size;
    const int64_t y = top + row, x = left + col;
    const bool inside = y >= 0 && y < c.height && x >= 0 && x < c.width;
    if constexpr (whole_vectors) {  // the width is a multiple of a vector too: all of a vector is inside or
                                    // outside
      const auto* from = reinterpret_cast<const Vector<T>*>(image + y * c.width + x);
      *reinterpret_cast<Vector<T>*>(&pixels.at[row][col]) = inside ? *from : Vector<T>{};
    } else {
      pixels.at[row][col] = inside ? image[y * c.width + x] : T(0);
    }
  }
}

/// Adds one channel: `x` and `y` are the thread's first pixel in the tile.
template <class T, int EDGE, int STRIDE>
__device__ void add_channel(const Pixels<T, EDGE, STRIDE>& pixels, const T* filter, int y, int x,
                            T (&sum)[Tile<STRIDE>::thread_rows][Tile<STRIDE>::thread_cols]) {
  constexpr int results = Tile<STRIDE>::thread_rows;
  T weight[EDGE][EDGE];
  for (int r = 0; r < EDGE; ++r) {
    for (int s = 0; s < EDGE; ++s) weight[r][s] = filter[r * EDGE + s];
  }
#pragma unroll
  for (int row = 0; row < (results - 1) * STRIDE + EDGE; ++row) {
#pragma unroll
    for (int j = 0; j < Tile<STRIDE>::thread_cols; ++j) {
      T pixel[EDGE];
#pragma unroll
      for (int s = 0; s < EDGE; ++s) pixel[s] = pixels.at[y + row][x + j * lanes * STRIDE + s];
#pragma unroll
      for (int i = 0; i < results; ++i) {
        const int r = row - i * STRIDE;  // a constant for the compiler, because all loops are unrolled
        if (r < 0 || r >= EDGE) continue;
#pragma unroll
        for (int s = 0; s < EDGE; ++s) sum[i][j] += pixel[s] * weight[r][s];
      }
    }
  }
}

template <bool whole_vectors, class T, int EDGE, int STRIDE>
__global__ void __launch_bounds__(threads_a_block) tiled(lab::Conv2d<T> c) {
  using R = Tile<STRIDE>;
  __shared__ Pixels<T, EDGE, STRIDE> pixels;
  const int lane = threadIdx.x % lanes, warp = threadIdx.x / lanes;
  const int64_t across = tiles(c.out_width, R::cols), down = tiles(c.out_height, R::rows);
  // Runs once, unless there are more tiles than a grid has blocks.
  for (int64_t tile = blockIdx.x; tile < c.batch * down * across * c.filters; tile += gridDim.x) {
    const int64_t f = tile % c.filters, col = tile / c.filters % across * R::cols;
    const int64_t row = tile / c.filters / across % down * R::rows, b = tile / c.filters / across / down;
    const int64_t top = row * STRIDE - c.padding, left = col * STRIDE - c.padding;
    const int64_t aligned = left & -int64_t{Vector<T>::size};  // rounds down, also below 0
    T sum[R::thread_rows][R::thread_cols] = {};
    for (int64_t i = 0; i < c.channels; ++i) {
      load<whole_vectors>(c, c.input + (b * c.channels + i) * c.height * c.width, top, aligned, pixels);
      __syncthreads();  // the tile is complete
      add_channel(pixels, c.filter + (f * c.channels + i) * EDGE * EDGE, warp * R::thread_rows * STRIDE,
                  lane * STRIDE + static_cast<int>(left - aligned), sum);
      __syncthreads();  // no thread reads it any more
    }
    T* out = c.output + (b * c.filters + f) * c.out_height * c.out_width;
    for (int i = 0; i < R::thread_rows; ++i) {
      const int64_t y = row + warp * R::thread_rows + i;
      for (int j = 0; j < R::thread_cols; ++j) {
        const int64_t x = col + lane + j * lanes;
        if (y < c.out_height && x < c.out_width) out[y * c.out_width + x] = sum[i][j];
      }
    }
  }
}

template <class T>
__global__ void __launch_bounds__(threads_a_block) one_result_a_thread(lab::Conv2d<T> c) {
  const int64_t pixels = c.out_height * c.out_width;
  for (int64_t at = int64_t{blockIdx.x} * threads_a_block + threadIdx.x; at < c.batch * c.filters * pixels;
       at += int64_t{gridDim.x} * threads_a_block) {
    const int64_t map = at / pixels, y = at % pixels / c.out_width * c.stride - c.padding,
                  x = at % c.out_width * c.stride - c.padding;
    const T* weight = c.filter + map % c.filters * c.channels * c.filter_height * c.filter_width;
    T sum = 0;
    for (int64_t i = 0; i < c.channels; ++i) {
      const T* image = c.input + (map / c.filters * c.channels + i) * c.height * c.width;
      for (int64_t r = y; r < y + c.filter_height; ++r) {
        for (int64_t s = x; s < x + c.filter_width; ++s, ++weight) {
          if (r >= 0 && r < c.height && s >= 0 && s < c.width) sum += image[r * c.width + s] * *weight;
        }
      }
    }
    c.output[at] = sum;
  }
}

template <int STRIDE, class T>
static void launch_tiled(const lab::Conv2d<T>& c, lab::Stream stream) {
  const int64_t blocks =
      c.batch * c.filters * tiles(c.out_width, Tile<STRIDE>::cols) * tiles(c.out_height, Tile<STRIDE>::rows);
  const dim3 grid = lab::grid_along_x(blocks, 1);
  if (c.width % Vector<T>::size == 0)
    tiled<true, T, 3, STRIDE><<<grid, threads_a_block, 0, stream>>>(c);
  else
    tiled<false, T, 3, STRIDE><<<grid, threads_a_block, 0, stream>>>(c);
}

template <class T>
static void launch(const lab::Conv2d<T>& c, lab::Stream stream) {
  const bool tiled = c.filter_height == 3 && c.filter_width == 3;
  if (tiled && c.stride == 1) return launch_tiled<1>(c, stream);
  if (tiled && c.stride == 2) return launch_tiled<2>(c, stream);
  if (tiled && c.stride == 3) return launch_tiled<3>(c, stream);
  const int64_t all = c.batch * c.filters * c.out_height * c.out_width;
  one_result_a_thread<<<lab::grid_along_x(all, threads_a_block), threads_a_block, 0, stream>>>(c);
}

LAB_CONV2D_GPU(float)(const lab::Conv2d<float>& c, lab::Stream stream) { launch(c, stream); }
LAB_CONV2D_GPU(double)(const lab::Conv2d<double>& c, lab::Stream stream) { launch(c, stream); }
