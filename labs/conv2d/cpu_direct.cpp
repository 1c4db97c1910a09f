// The formula as written, one row of the output at a time. All other variants are compared with this one.
//
// The loop over the pixels of a row is the innermost one. So pixels and results are read and written in
// order, and each element of the filter is fetched once per row. The range of pixels that an element of
// the filter needs is computed before this loop, so that the loop contains no test for the border.
//
// What limits it: a row of results is read and written again for every element of the filter, in the L1
// cache. And only with stride 1 are the pixels of a row neighbours, as vector loads need them.
#include <algorithm>

#include "lab/conv2d.h"

/// Adds weight * (pixels under one tap of the filter) to a row of the output.
template <class T>
static void add_tap(const lab::Conv2d<T>& c, const T* row, int64_t tap, T weight, T* out) {
  // The output pixels x with 0 <= x * stride + tap - padding < width.
  const int64_t shift = tap - c.padding;
  const int64_t begin = shift >= 0 ? 0 : (-shift + c.stride - 1) / c.stride;
  const int64_t end = shift >= c.width ? 0 : std::min(c.out_width, (c.width - 1 - shift) / c.stride + 1);
  if (c.stride == 1) {
    for (int64_t x = begin; x < end; ++x) out[x] += weight * row[x + shift];
  } else {
    for (int64_t x = begin; x < end; ++x) out[x] += weight * row[x * c.stride + shift];
  }
}

template <class T>
static void add_channel(const lab::Conv2d<T>& c, const T* image, const T* filter, int64_t y, T* out) {
  for (int64_t r = 0; r < c.filter_height; ++r) {
    const int64_t line = y * c.stride + r - c.padding;
    if (line < 0 || line >= c.height) continue;
    for (int64_t s = 0; s < c.filter_width; ++s) {
      add_tap(c, image + line * c.width, s, filter[r * c.filter_width + s], out);
    }
  }
}

template <class T>
static void conv2d(const lab::Conv2d<T>& c) {
  const int64_t image = c.height * c.width, filter = c.filter_height * c.filter_width;
  T* out = c.output;
  for (int64_t b = 0; b < c.batch; ++b) {
    for (int64_t f = 0; f < c.filters; ++f) {
      for (int64_t y = 0; y < c.out_height; ++y, out += c.out_width) {
        std::fill_n(out, c.out_width, T(0));
        for (int64_t i = 0; i < c.channels; ++i) {
          add_channel(c, c.input + (b * c.channels + i) * image, c.filter + (f * c.channels + i) * filter, y,
                      out);
        }
      }
    }
  }
}

LAB_CONV2D_CPU(float)(const lab::Conv2d<float>& c) { conv2d(c); }
LAB_CONV2D_CPU(double)(const lab::Conv2d<double>& c) { conv2d(c); }
