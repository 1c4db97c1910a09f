// As fast as the library: any convolution becomes sums over shifted arrays, in the registers of a matrix product.
//
// A band of the padded image is copied to work space that fits the L2 cache. With stride s, every s-th row and column
// go to a plane of their own, so that neighbours in a plane are what neighbouring results need. Then, with p counting
// the pixels of a plane, result[p] = sum over taps of weight[tap] * plane[offset[tap] + p], for any stride, padding and
// filter. No border needs code, and a row of results need not begin a vector; the few results between two rows are not
// stored. Measured on an AMD Zen 5 against oneDNN:
//
//   Many filters: a tile of 8 filters x 3 vectors of results. The unfolded matrix of cpu_im2col is not made; its rows
//   are
//     the planes, read at an offset. 64 -> 64 channels, 56 x 56 pixels, 32 images: 39.4 ms, oneDNN 42.0, cpu_im2col 52.
//     Tiles of 8 x 2 and 4 x 6 take as long.
//   Few filters: 8 vectors of results for one filter, so that no sum waits for its last addition. 3 -> 1 channels,
//     4096 x 4096 pixels: 25 ms, oneDNN 103, cpu_direct 56. With stride 3 each pixel is used once, so that a copy gains
//     little: 15.8 ms, oneDNN 31, cpu_direct 17.6.
//
// What limits it: the copy takes 10 % of the time with 64 filters, and half of it or more with one. The rest is
// multiply-adds (208 GFLOP/s of 238) or, with one filter, loads and memory.
#include <omp.h>
#include <unistd.h>

#include <algorithm>

#include "lab/avx.h"
#include "lab/conv2d.h"

LAB_NEEDS(avx2, fma, openmp);

#ifndef AVX512
#define AVX512 1
#endif

/// Sums for `rows` filters and `vectors` vectors of results. The weights of a tap lie side by side.
template <class T, int rows, int vectors>
static void tile_avx2(int64_t taps, const T* weight, const T* plane, const int64_t* offset, T* sums) {
  using V = lab::Avx<T>;
  typename V::Vector sum[rows][vectors];
  for (auto& row : sum)
    for (auto& x : row) x = V::zero();
  for (int64_t t = 0; t < taps; ++t, weight += rows) {
    const T* const pixels = plane + offset[t];
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      const auto w = V::broadcast(weight[r]);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) sum[r][v] = V::fmadd(w, V::load(pixels + v * V::lanes), sum[r][v]);
    }
  }
  for (auto& row : sum)
    for (auto& x : row) V::store(sums, x), sums += V::lanes;
}

/// The same with 512-bit vectors. The file is compiled for AVX2, so it uses the vector types of the compiler.
template <class T, int rows, int vectors>
__attribute__((target("avx512f"))) static void tile_avx512(int64_t taps, const T* weight, const T* plane,
                                                           const int64_t* offset, T* sums) {
  typedef T Vector __attribute__((vector_size(64), aligned(alignof(T)), may_alias));
  Vector sum[rows][vectors] = {};
  for (int64_t t = 0; t < taps; ++t, weight += rows) {
    const auto pixels = reinterpret_cast<const Vector*>(plane + offset[t]);
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) sum[r][v] += weight[r] * pixels[v];
  }
#pragma GCC unroll 24
  for (int i = 0; i < rows * vectors; ++i) reinterpret_cast<Vector*>(sums)[i] = sum[i / vectors][i % vectors];
}

static const bool has_avx512 = AVX512 && __builtin_cpu_supports("avx512f");

/// The kernel for a number of filters, and the size of its tile.
template <class T>
struct Kernel {
  void (*tile)(int64_t, const T*, const T*, const int64_t*, T*);
  int64_t filters, pixels;

  explicit Kernel(int64_t wanted) {
    const int64_t lanes = (has_avx512 ? 64 : 32) / sizeof(T);
    if (wanted < 4) {
      *this = {has_avx512 ? tile_avx512<T, 1, 8> : tile_avx2<T, 1, 8>, 1, 8 * lanes};
    } else if (has_avx512) {
      *this = {tile_avx512<T, 8, 3>, 8, 3 * lanes};
    } else {
      *this = {tile_avx2<T, 4, 3>, 4, 3 * lanes};
    }
  }

 private:
  Kernel(decltype(tile) t, int64_t f, int64_t p) : tile(t), filters(f), pixels(p) {}
};

/// How a band lies in the work space: a plane for each channel and phase. A phase is a remainder of row and column by
/// the stride.
template <class T>
struct Layout {
  Kernel<T> kernel;
  int64_t taps, phases_down, phases_across, more_rows, width, planes, rows, plane, weights, band;

  explicit Layout(const lab::Conv2d<T>& c) : kernel(c.filters) {
    taps = c.channels * c.filter_height * c.filter_width;
    phases_down = std::min(c.stride, c.filter_height);
    phases_across = std::min(c.stride, c.filter_width);
    more_rows = (c.filter_height - 1) / c.stride;  // of a plane, below those of the results
    width = c.out_width + (c.filter_width - 1) / c.stride;
    planes = c.channels * phases_down * phases_across;
    static const int64_t l2 = std::max<int64_t>(sysconf(_SC_LEVEL2_CACHE_SIZE), 1 << 18);
    rows = std::clamp<int64_t>(l2 / 2 / sizeof(T) / (planes * width) - more_rows, 1, c.out_height);
    plane = (rows + more_rows) * width;
    weights = (c.filters + kernel.filters - 1) / kernel.filters * kernel.filters * taps;
    band = planes * plane + 2 * kernel.pixels;  // a tile may read beyond the last result
  }
  size_t bytes() const { return (weights + omp_get_max_threads() * band) * sizeof(T) + taps * sizeof(int64_t); }
};

/// Every `stride`-th pixel of a row; 0 outside the image.
template <int64_t constant_stride, class T>
static void copy_row(const T* row, int64_t first, int64_t stride, int64_t image_width, int64_t width, T* to) {
  if (constant_stride) stride = constant_stride;
  const int64_t begin = std::clamp<int64_t>((-first + stride - 1) / stride, 0, width);
  const int64_t end = std::clamp((image_width - first + stride - 1) / stride, begin, width);
  std::fill(to, to + begin, T(0));
  for (int64_t x = begin; x < end; ++x) to[x] = row[first + x * stride];
  std::fill(to + end, to + width, T(0));
}

template <class T>
static void copy_band(const lab::Conv2d<T>& c, const Layout<T>& l, const T* image, int64_t y, int64_t rows, T* to) {
  const auto copy = c.stride == 1   ? copy_row<1, T>
                    : c.stride == 2 ? copy_row<2, T>
                    : c.stride == 3 ? copy_row<3, T>
                                    : copy_row<0, T>;
  for (int64_t channel = 0; channel < c.channels; ++channel, image += c.height * c.width)
    for (int64_t down = 0; down < l.phases_down; ++down)
      for (int64_t across = 0; across < l.phases_across; ++across, to += l.plane)
        for (int64_t i = 0; i < rows + l.more_rows; ++i) {
          const int64_t line = (y + i) * c.stride + down - c.padding;
          T* const row = to + i * l.width;
          if (line < 0 || line >= c.height)
            std::fill(row, row + l.width, T(0));
          else
            copy(image + line * c.width, across - c.padding, c.stride, c.width, l.width, row);
        }
}

/// Copies the results of a tile to the output, without what lies between two rows.
template <class T>
static void put(const T* sums, const Kernel<T>& kernel, int64_t filters, int64_t p, int64_t count, int64_t width,
                const lab::Conv2d<T>& c, T* out) {
  for (const int64_t end = p + count; p < end;) {
    const int64_t y = p / width, x = p % width, run = std::min(end - p, width - x);
    for (int64_t f = 0; f < filters && x < c.out_width; ++f)
      std::copy_n(sums + f * kernel.pixels, std::min(run, c.out_width - x),
                  out + (f * c.out_height + y) * c.out_width + x);
    sums += run;
    p += run;
  }
}

template <class T>
static void conv2d(const lab::Conv2d<T>& c) {
  const Layout<T> l(c);
  const Kernel<T>& kernel = l.kernel;
  auto* const offset = static_cast<int64_t*>(c.workspace);
  T* const weight = reinterpret_cast<T*>(offset + l.taps);
  for (int64_t t = 0; t < l.taps; ++t) {
    const int64_t s = t % c.filter_width, r = t / c.filter_width % c.filter_height,
                  channel = t / c.filter_width / c.filter_height;
    const int64_t phase = (channel * l.phases_down + r % c.stride) * l.phases_across + s % c.stride;
    offset[t] = phase * l.plane + r / c.stride * l.width + s / c.stride;
    for (int64_t f = 0; f < l.weights / l.taps; ++f)
      weight[(f / kernel.filters * l.taps + t) * kernel.filters + f % kernel.filters] =
          f < c.filters ? c.filter[f * l.taps + t] : T(0);
  }
  const int64_t bands = (c.out_height + l.rows - 1) / l.rows, pixels = c.out_height * c.out_width;
#pragma omp parallel for schedule(dynamic)
  for (int64_t b = 0; b < c.batch * bands; ++b) {
    T* const band = weight + l.weights + omp_get_thread_num() * l.band;
    const int64_t image = b / bands, y = b % bands * l.rows, rows = std::min(l.rows, c.out_height - y);
    copy_band(c, l, c.input + image * c.channels * c.height * c.width, y, rows, band);
    for (int64_t p = 0; p < rows * l.width; p += kernel.pixels)
      for (int64_t f = 0; f < c.filters; f += kernel.filters) {
        alignas(64) T sums[2048 / sizeof(T)];
        kernel.tile(l.taps, weight + f * l.taps, band + p, offset, sums);
        put(sums, kernel, std::min(kernel.filters, c.filters - f), p, std::min(kernel.pixels, rows * l.width - p),
            l.width, c, c.output + (image * c.filters + f) * pixels + y * c.out_width);
      }
  }
}

LAB_CONV2D_CPU(float)(const lab::Conv2d<float>& c) { conv2d(c); }
LAB_CONV2D_CPU(double)(const lab::Conv2d<double>& c) { conv2d(c); }
LAB_CONV2D_WORKSPACE(float)(const lab::Conv2d<float>& c) { return Layout(c).bytes(); }
LAB_CONV2D_WORKSPACE(double)(const lab::Conv2d<double>& c) { return Layout(c).bytes(); }

LAB_ABOUT() { return has_avx512 ? "tiles for AVX-512" : "tiles for AVX2"; }
