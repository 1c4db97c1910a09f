// The image is unfolded to a matrix (im2col), then OpenBLAS computes one matrix product.
//
// Compared with cpu_direct: the pixels that a filter needs for one output pixel become a column of a
// matrix, with one row per channel and element of the filter. The filters are the rows of another matrix,
// without any copy. The product of both is the output, in its final order, and libraries are best at
// products of matrices.
//
// Each pixel is copied once per element of the filter: 9 times for 3 x 3. So the unfolded image is made in
// strips of output rows, of about STRIP numbers each. A strip stays in the cache until it is used, and the
// work space stays small for any size of the image.
//
// What limits it: with one filter there is one multiply-add per unfolded number, so the copy takes most of
// the time. It is a good choice for many filters.
#include <cblas.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "lab/conv2d.h"

LAB_NEEDS(openblas);

#ifndef STRIP
#define STRIP 65536
#endif

static void use_lab_threads() {
  static const bool done = [] {
    const char* text = std::getenv("LAB_THREADS");
    const int wanted = text ? std::atoi(text) : 1;
    openblas_set_num_threads(wanted > 0 ? wanted : 1);
    return true;
  }();
  (void)done;
}

/// Most builds of BLAS have 32-bit sizes.
static blasint size(int64_t n) {
  if (n > std::numeric_limits<blasint>::max()) throw std::length_error("too large for this BLAS");
  return static_cast<blasint>(n);
}

static void multiply(blasint m, blasint n, blasint k, const float* a, const float* b, float* c, blasint ldc) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 0, c, ldc);
}
static void multiply(blasint m, blasint n, blasint k, const double* a, const double* b, double* c,
                     blasint ldc) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 0, c, ldc);
}

template <class T>
static int64_t taps(const lab::Conv2d<T>& c) {
  return c.channels * c.filter_height * c.filter_width;
}

/// Rows of the output in one strip.
template <class T>
static int64_t strip_rows(const lab::Conv2d<T>& c) {
  return std::clamp<int64_t>(STRIP / (taps(c) * c.out_width), 1, c.out_height);
}

/// The pixels that element `tap` of a filter row needs for one row of the output; `line` may lie outside the
/// image.
template <class T>
static void unfold_row(const lab::Conv2d<T>& c, const T* image, int64_t line, int64_t tap, T* to) {
  // The output pixels x with 0 <= x * stride + tap - padding < width; the others get zeros.
  const bool beyond = line < 0 || line >= c.height;
  const int64_t shift = tap - c.padding;
  const int64_t first = shift >= 0 ? 0 : (-shift + c.stride - 1) / c.stride;
  const int64_t last = shift >= c.width ? 0 : (c.width - 1 - shift) / c.stride + 1;
  const int64_t begin = beyond ? c.out_width : std::min(first, c.out_width);
  const int64_t end = std::clamp(last, begin, c.out_width);
  std::fill(to, to + begin, T(0));
  const int64_t from = line * c.width + shift;
  if (c.stride == 1) {
    if (begin < end) std::copy_n(image + from + begin, end - begin, to + begin);
  } else {
    for (int64_t x = begin; x < end; ++x) to[x] = image[from + x * c.stride];
  }
  std::fill(to + end, to + c.out_width, T(0));
}

/// Unfolds one image for output rows [y0, y0 + rows); `unfolded` is taps x (rows * out_width).
template <class T>
static void unfold(const lab::Conv2d<T>& c, const T* images, int64_t y0, int64_t rows, T* unfolded) {
  for (int64_t i = 0; i < c.channels; ++i) {
    for (int64_t r = 0; r < c.filter_height; ++r) {
      for (int64_t s = 0; s < c.filter_width; ++s) {
        for (int64_t y = y0; y < y0 + rows; ++y, unfolded += c.out_width) {
          unfold_row(c, images + i * c.height * c.width, y * c.stride + r - c.padding, s, unfolded);
        }
      }
    }
  }
}

template <class T>
static void conv2d(const lab::Conv2d<T>& c) {
  use_lab_threads();
  T* unfolded = static_cast<T*>(c.workspace);
  const int64_t strip = strip_rows(c), pixels = c.out_height * c.out_width;
  for (int64_t b = 0; b < c.batch; ++b) {
    const T* images = c.input + b * c.channels * c.height * c.width;
    for (int64_t y = 0; y < c.out_height; y += strip) {
      const int64_t rows = std::min(strip, c.out_height - y);
      unfold(c, images, y, rows, unfolded);
      multiply(size(c.filters), size(rows * c.out_width), size(taps(c)), c.filter, unfolded,
               c.output + b * c.filters * pixels + y * c.out_width, size(pixels));
    }
  }
}

template <class T>
static size_t workspace(const lab::Conv2d<T>& c) {
  return static_cast<size_t>(taps(c) * strip_rows(c) * c.out_width) * sizeof(T);
}

LAB_CONV2D_CPU(float)(const lab::Conv2d<float>& c) { conv2d(c); }
LAB_CONV2D_CPU(double)(const lab::Conv2d<double>& c) { conv2d(c); }
LAB_CONV2D_WORKSPACE(float)(const lab::Conv2d<float>& c) { return workspace(c); }
LAB_CONV2D_WORKSPACE(double)(const lab::Conv2d<double>& c) { return workspace(c); }

LAB_ABOUT() { return openblas_get_config(); }
