// The fastest rung: few channels are a matter of memory, many filters one of arithmetic, and each has its
// kernel.
//
// Few filters, 3 x 3, stride 1 to 3 (`slide`): no shared memory and no barriers. A thread computes a few
// neighbouring results of a row, then those of the next row, and so on. A row of the image adds to all rows
// of results that need it (3 with stride 1), so the thread reads it once and then forgets it. It reads 16
// bytes at a time, and the next row while it multiplies this one. The columns beside its own are in the L1
// cache, because its neighbours in the warp read them too. All strips run at once, every second one upwards:
// so two neighbours read the rows that both need at the same time, from the L2 cache.
//
// What it bought on an H200, 4096 x 4096 pixels, 3 channels, share of the bandwidth of a copy with stride 1
// and 2: gpu_direct 56 and 60 %; registers that slide down 77 and 83 %; the next row read ahead and all
// strips at once 85 and 87 %; every second strip upwards 88 and 91 %. That is 10 times as fast as cuDNN with
// stride 1.
//
// Many filters (`many::multiply`): the matrix product of the filters with the unfolded image, as in
// gpu_im2col, but tiles of the unfolded image exist only in shared memory, where asynchronous copies build
// them. 64 channels, 64 filters, 56 x 56 pixels, 32 images: 26.3 TFLOP/s; 30.8 with a bit for each weight
// that says whether its pixel is inside, instead of four comparisons. cuDNN has 28.9 with the algorithms that
// add up the products, and 52.7 with Winograd's, which multiplies less.
//
// Limit: memory for few filters. For many, 56 of 100 instructions were FFMA before those bits; most others
// compute addresses of copies.
//
// Drawing:
//   window
//   rows = 8; columns = 256 * 16 / bytes; threads = 256
//   thread_rows = 8; thread_columns = 16 / bytes
//   row = 0; column = t * 16 / bytes
//   window = 3; stride = 1
//   Drawn for few filters of 3 x 3 and stride 1, where a thread slides down its rows.
//   The number of rows is such that all threads of the GPU run at once; 8 are drawn.
#include <cuda_pipeline.h>

#include <algorithm>

#include "lab/conv2d.h"
#include "lab/piece.h"

constexpr int edge = 3, threads_a_block = 256;
constexpr int unknown = -1;  // a number that the compiler does not know

using lab::Piece;

/// Blocks that a multiprocessor holds at once.
template <class T, int stride>
constexpr int resident = sizeof(T) == 4 && stride == 1 ? 3 : 2;

/// Results side by side that a thread computes. Their pixels are whole pieces, beside those of the border.
template <class T, int stride>
constexpr int cols = stride == 2 ? Piece<T>::length / 2 : Piece<T>::length;

template <class T, int stride>
struct alignas(cols<T, stride> * sizeof(T)) Results {
  T at[cols<T, stride>];
};

/// Pixels of a row that a thread needs for its results.
template <class T, int stride>
struct Pixels {
  static constexpr int count = (cols<T, stride> - 1) * stride + edge;
  T at[count];

  /// Reads them from column x on, or zeros if the row is outside. If the width of the border is known, pixels
  /// after it are whole pieces.
  template <int border>
  __device__ __forceinline__ void load(const T* row, int x, int width, bool inside) {
    constexpr int length = Piece<T>::length, left = border == unknown ? count : border;
    constexpr int pieces = (count - left + 1) / length, right = left + pieces * length;
#pragma unroll
    for (int i = 0; i < count; ++i)
      if (i < left || i >= right) at[i] = inside && x + i >= 0 && x + i < width ? row[x + i] : T(0);
#pragma unroll
    for (int p = left; p < right; p += length) {
      Piece<T> piece{};
      if (inside && x + p < width) piece = *reinterpret_cast<const Piece<T>*>(row + x + p);
#pragma unroll
      for (int e = 0; e < length; ++e)
        if (p + e < count) at[p + e] = piece.at[e];
    }
  }
};

/// The sums of a thread: `stride` rows of pixels after the other complete one row of results.
template <class T, int stride>
struct Sums {
  static constexpr int rows = 1 + (edge - 1) / stride;  // that a row of pixels can add to
  Results<T, stride> row[rows] = {};

  /// Adds row `r` of those that the first row of results needs.
  template <int r>
  __device__ __forceinline__ void add(const Pixels<T, stride>& pixels, const T (&weight)[edge][edge]) {
#pragma unroll
    for (int j = 0; j < rows; ++j)
#pragma unroll
      for (int i = 0; i < cols<T, stride>; ++i)
#pragma unroll
        for (int s = 0; s < edge; ++s)
          if (r - j * stride >= 0) row[j].at[i] += weight[r - j * stride][s] * pixels.at[i * stride + s];
  }
  __device__ __forceinline__ Results<T, stride> take_first() {
    const Results<T, stride> first = row[0];
#pragma unroll
    for (int j = 0; j < rows; ++j) row[j] = j + 1 < rows ? row[j + 1] : Results<T, stride>{};
    return first;
  }
};

/// What a strip of results needs, row by row, down (step 1) or up (step -1) from the row of results y on.
/// channels, border: may be unknown. Each row of pixels is fetched while the one before is multiplied.
template <int stride, int channels, int border, class T>
class Strip {
 public:
  __device__ __forceinline__ Strip(const lab::Conv2d<T>& c, const T* image, const T* filter, int x, int y, int step)
      : c_(c),
        image_(image),
        filter_(filter),
        x_(x * stride - static_cast<int>(border == unknown ? c.padding : border)),
        y_(y * stride - static_cast<int>(c.padding) + (step > 0 ? 0 : edge - 1)),
        step_(step) {
#pragma unroll
    for (int i = 0; i < channels; ++i) load_weights(i, weights_[i]);
    if (ahead) fetch();
  }

  /// Adds the next row of pixels, which is row `r` of those that the first incomplete row of results needs.
  template <int r>
  __device__ __forceinline__ void add() {
    if constexpr (channels != unknown) {
      if (!ahead) fetch();
      Pixels<T, stride> now[channels];
#pragma unroll
      for (int i = 0; i < channels; ++i) now[i] = next_[i];
      y_ += step_;
      if (ahead) fetch();
#pragma unroll
      for (int i = 0; i < channels; ++i) sums_.template add<r>(now[i], weights_[i]);
    } else {
      for (int i = 0; i < c_.channels; ++i) {
        load(i, next_[0]);
        load_weights(i, weights_[0]);
        sums_.template add<r>(next_[0], weights_[0]);
      }
      y_ += step_;
    }
  }
  __device__ __forceinline__ Results<T, stride> take_first() { return sums_.take_first(); }

 private:
  __device__ __forceinline__ void fetch() {
#pragma unroll
    for (int i = 0; i < channels; ++i) load(i, next_[i]);
  }
  __device__ __forceinline__ void load(int channel, Pixels<T, stride>& to) const {
    const T* const row = image_ + (channel * c_.height + y_) * c_.width;
    to.template load<border>(row, x_, static_cast<int>(c_.width), y_ >= 0 && y_ < c_.height);
  }
  __device__ __forceinline__ void load_weights(int channel, T (&to)[edge][edge]) const {
#pragma unroll
    for (int i = 0; i < edge * edge; ++i) {
      const int row = step_ > 0 ? i / edge : edge - 1 - i / edge;
      to[i / edge][i % edge] = filter_[(channel * edge + row) * edge + i % edge];
    }
  }

  static constexpr bool ahead = stride < 3;  // with stride 3, a row of pixels does not fit a second time
  static constexpr int kept = channels == unknown ? 1 : channels;
  const lab::Conv2d<T>& c_;
  const T *image_, *filter_;
  const int x_;
  int y_;
  const int step_;
  T weights_[kept][edge][edge];
  Pixels<T, stride> next_[kept];
  Sums<T, stride> sums_;
};

template <int stride, int channels, int border, class T>
__global__ void __launch_bounds__(threads_a_block, (resident<T, stride>))
    slide(lab::Conv2d<T> c, const T* __restrict__ input, const T* __restrict__ filter, T* __restrict__ output,
          int rows) {
  constexpr int wide = cols<T, stride>;
  const int64_t across = (c.out_width + wide - 1) / wide, down = (c.out_height + rows - 1) / rows;
  const int64_t thread = int64_t{blockIdx.x} * threads_a_block + threadIdx.x, map = thread / across / down;
  if (map >= c.batch * c.filters) return;
  const int x = static_cast<int>(thread % across) * wide, top = static_cast<int>(thread / across % down) * rows;
  const int count = top + rows < c.out_height ? rows : static_cast<int>(c.out_height) - top;
  // Every second strip goes up. So neighbours read the rows that both need at the same time.
  const int step = thread / across % 2 == 0 ? 1 : -1, y = step > 0 ? top : top + count - 1;
  Strip<stride, channels, border, T> strip(c, input + map / c.filters * c.channels * c.height * c.width,
                                           filter + map % c.filters * c.channels * edge * edge, x, y, step);
  T* out = output + (map * c.out_height + y) * c.out_width + x;
  const bool whole = c.out_width % wide == 0;
  if constexpr (stride <= 2) strip.template add<0>();
  if constexpr (stride == 1) strip.template add<1>();
#pragma unroll 1
  for (int row = 0; row < count; ++row, out += step * c.out_width) {
    if constexpr (stride == 3) strip.template add<0>();
    if constexpr (stride >= 2) strip.template add<1>();
    strip.template add<2>();
    const Results<T, stride> results = strip.take_first();
    if (whole) {
      *reinterpret_cast<Results<T, stride>*>(out) = results;
    } else {
#pragma unroll
      for (int i = 0; i < wide; ++i)
        if (x + i < c.out_width) out[i] = results.at[i];
    }
  }
}

/// Many filters: a matrix product of the filters with the unfolded image, which exists only in shared memory. A
/// block computes `rows` filters of `columns` results, `depth` of their products at a time.
namespace many {
constexpr int rows = 64, columns = 128, depth = 8, stages = 3, threads = 128;
constexpr int warp_rows = 32, warp_columns = 64, quad = 4;  // a thread has 2 x 2 squares of quad x quad sums

template <class T>
struct alignas(4 * sizeof(T)) Quad {
  T at[quad];
};

template <class T>
struct Stage {
  alignas(32) T filters[depth][rows + quad];  // the padding spreads what a warp writes at once over all banks
  alignas(32) T pixels[depth][columns];
};

/// Copies what the next products need. A thread copies the pixels of one result.
template <class T>
class Copier {
 public:
  __device__ __forceinline__ Copier(const lab::Conv2d<T>& c, int64_t first_filter, int64_t first_result)
      : c_(c), products_(static_cast<int>(c.channels * c.filter_height * c.filter_width)) {
    const int64_t result = first_result + threadIdx.x, map = c.out_height * c.out_width;
    const int64_t top = result % map / c.out_width * c.stride - c.padding;
    const int64_t left = result % c.out_width * c.stride - c.padding;
    pixel_ = c.input + result / map * c.channels * c.height * c.width + top * c.width + left;
    for (int64_t y = c.filter_height - 1; y >= 0; --y)
      for (int64_t x = c.filter_width - 1; x >= 0; --x) {
        const bool inside = top + y >= 0 && top + y < c.height && left + x >= 0 && left + x < c.width;
        inside_ = inside_ << 1 | (inside && result < c.batch * map);
      }
    const int64_t filter = first_filter + threadIdx.x / 2;
    filter_ = c.filter + filter * products_;
    filter_exists_ = filter < c.filters;
  }
  __device__ __forceinline__ void copy(Stage<T>& to) {
#pragma unroll
    for (int i = 0; i < depth / 2; ++i) {
      const int k = threadIdx.x % 2 * (depth / 2) + i;
      some(to.filters[k][threadIdx.x / 2], filter_ + k, filter_exists_ && k_ + k < products_);
    }
    filter_ += depth;
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      some(to.pixels[k][threadIdx.x], pixel_ + offset_, (inside_ >> weight_ & 1) && k_ + k < products_);
      next_product();
    }
    k_ += depth;
  }

 private:
  /// One column to the right in the filter, or to its next row, or to the next channel.
  __device__ __forceinline__ void next_product() {
    ++weight_;
    ++offset_;
    if (++col_ < c_.filter_width) return;
    col_ = 0;
    offset_ += static_cast<int>(c_.width - c_.filter_width);
    if (weight_ < c_.filter_height * c_.filter_width) return;
    weight_ = 0;
    offset_ += static_cast<int>((c_.height - c_.filter_height) * c_.width);
  }
  __device__ static __forceinline__ void some(T& to, const T* from, bool exists) {
    __pipeline_memcpy_async(&to, from, sizeof(T), exists ? 0 : sizeof(T));
  }

  const lab::Conv2d<T>& c_;
  const int products_;
  const T *pixel_, *filter_;
  bool filter_exists_;
  uint64_t inside_ = 0;  // a bit for each weight of a channel: whether its pixel is inside the image
  int k_ = 0, col_ = 0, weight_ = 0, offset_ = 0;
};

template <class T>
__global__ void __launch_bounds__(threads, sizeof(T) == 4 ? 3 : 1) multiply(lab::Conv2d<T> c) {
  __shared__ Stage<T> shared[stages];
  const int64_t first_filter = int64_t{blockIdx.y} * rows, first_result = int64_t{blockIdx.x} * columns;
  const int64_t products = c.channels * c.filter_height * c.filter_width;
  const int rounds = static_cast<int>((products + depth - 1) / depth);
  Copier<T> copier(c, first_filter, first_result);
#pragma unroll
  for (int s = 0; s < stages - 1; ++s) {
    if (s < rounds) copier.copy(shared[s]);
    __pipeline_commit();
  }
  // Each quarter of a warp reads few different quads.
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int top = warp / 2 * warp_rows + (lane % 2 + lane / 16 * 2) * quad;
  const int left = warp % 2 * warp_columns + lane / 2 % 8 * quad;
  T sum[2][quad][2][quad] = {};
  int now = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();  // this stage is complete, and no thread reads the one before any more
    if (round + stages - 1 < rounds) copier.copy(shared[now == 0 ? stages - 1 : now - 1]);
    __pipeline_commit();
    const Stage<T>& stage = shared[now];
    now = now + 1 < stages ? now + 1 : 0;
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      Quad<T> a[2], b[2];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        a[i] = *reinterpret_cast<const Quad<T>*>(&stage.filters[k][top + i * warp_rows / 2]);
        b[i] = *reinterpret_cast<const Quad<T>*>(&stage.pixels[k][left + i * warp_columns / 2]);
      }
#pragma unroll
      for (int r = 0; r < 2 * quad; ++r)
#pragma unroll
        for (int s = 0; s < 2 * quad; ++s)
          sum[r / quad][r % quad][s / quad][s % quad] += a[r / quad].at[r % quad] * b[s / quad].at[s % quad];
    }
  }
  const int64_t map = c.out_height * c.out_width;
#pragma unroll
  for (int s = 0; s < 2; ++s) {
    const int64_t result = first_result + left + s * warp_columns / 2;
    // Whether four neighbours are in one image, at a multiple of their size.
    const bool whole =
        map % quad == 0 && result < c.batch * map && reinterpret_cast<uintptr_t>(c.output) % sizeof(Quad<T>) == 0;
#pragma unroll
    for (int r = 0; r < 2 * quad; ++r) {
      const int64_t filter = first_filter + top + r / quad * warp_rows / 2 + r % quad;
      if (filter >= c.filters) continue;
      const T(&from)[quad] = sum[r / quad][r % quad][s];
      if (whole) {
        T* const to = c.output + (result / map * c.filters + filter) * map + result % map;
        *reinterpret_cast<Quad<T>*>(to) = {from[0], from[1], from[2], from[3]};
        continue;
      }
#pragma unroll
      for (int i = 0; i < quad; ++i)
        if (result + i < c.batch * map)
          c.output[((result + i) / map * c.filters + filter) * map + (result + i) % map] = from[i];
    }
  }
}
}  // namespace many

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

/// So many that all threads run at once: a longer strip reads fewer pixels twice.
static int rows_a_thread(int64_t strips, int64_t height, int blocks) {
  int device = 0, multiprocessors = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  const int64_t threads = int64_t{multiprocessors} * blocks * threads_a_block;
  return static_cast<int>(std::min(height, (strips * height + threads - 1) / threads));
}

template <int stride, int channels, int border, class T>
static void launch_slide(const lab::Conv2d<T>& c, lab::Stream stream) {
  const int64_t strips = c.batch * c.filters * ((c.out_width + cols<T, stride> - 1) / cols<T, stride>);
  const int rows = rows_a_thread(strips, c.out_height, resident<T, stride>);
  const int64_t threads = strips * ((c.out_height + rows - 1) / rows);
  slide<stride, channels, border>
      <<<lab::blocks_for(threads, threads_a_block), threads_a_block, 0, stream>>>(c, c.input, c.filter, c.output, rows);
}

template <int stride, class T>
static void launch_slide(const lab::Conv2d<T>& c, lab::Stream stream) {
  const bool pieces = c.width % Piece<T>::length == 0 && reinterpret_cast<uintptr_t>(c.input) % 16 == 0 &&
                      reinterpret_cast<uintptr_t>(c.output) % 16 == 0;
  if (pieces && c.padding == 1 && c.channels == 3) return launch_slide<stride, 3, 1>(c, stream);
  if (pieces && c.padding == 1) return launch_slide<stride, unknown, 1>(c, stream);
  launch_slide<stride, unknown, unknown>(c, stream);
}

template <class T>
static void launch(const lab::Conv2d<T>& c, lab::Stream stream) {
  if (c.filters >= 16 && c.filter_height * c.filter_width <= 64 &&
      c.channels * c.height * c.width < (int64_t{1} << 31)) {
    const dim3 grid(lab::blocks_for(c.batch * c.out_height * c.out_width, many::columns),
                    lab::blocks_for(c.filters, many::rows));
    many::multiply<<<grid, many::threads, 0, stream>>>(c);
    return;
  }
  const bool three_by_three = c.filter_height == edge && c.filter_width == edge;
  if (three_by_three && c.stride == 1) return launch_slide<1>(c, stream);
  if (three_by_three && c.stride == 2) return launch_slide<2>(c, stream);
  if (three_by_three && c.stride == 3) return launch_slide<3>(c, stream);
  const int64_t all = c.batch * c.filters * c.out_height * c.out_width;
  one_result_a_thread<<<lab::grid_along_x(all, threads_a_block), threads_a_block, 0, stream>>>(c);
}

LAB_CONV2D_GPU(float)(const lab::Conv2d<float>& c, lab::Stream stream) { launch(c, stream); }
LAB_CONV2D_GPU(double)(const lab::Conv2d<double>& c, lab::Stream stream) { launch(c, stream); }
