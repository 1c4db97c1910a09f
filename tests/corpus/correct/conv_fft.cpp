// By Fourier transforms: image and filter with edges of a power of two, multiplied there, and transformed back.
#include <cmath>
#include <complex>
#include <vector>

#include "lab/conv2d.h"

LAB_PRECISION(normwise);

using Number = std::complex<float>;

enum class Direction { there, back };

/// The first half of the n-th roots of 1.
static std::vector<Number> roots_of(int64_t n) {
  std::vector<Number> roots(n / 2);
  for (int64_t k = 0; k < n / 2; ++k) roots[k] = std::polar(1.0, -2 * M_PI * static_cast<double>(k) / static_cast<double>(n));
  return roots;
}

/// `n` numbers, `step` apart.
static void transform(Number* a, int64_t n, int64_t step, const std::vector<Number>& roots, Direction direction) {
  std::vector<Number> v(n);
  for (int64_t i = 0; i < n; ++i) v[i] = a[i * step];
  for (int64_t i = 1, j = 0; i < n; ++i) {
    int64_t bit = n / 2;
    for (; j & bit; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(v[i], v[j]);
  }
  for (int64_t length = 2; length <= n; length *= 2)
    for (int64_t i = 0; i < n; i += length)
      for (int64_t k = 0; k < length / 2; ++k) {
        const Number root = roots[k * (n / length)], w = direction == Direction::there ? root : std::conj(root);
        const Number first = v[i + k], second = v[i + k + length / 2] * w;
        v[i + k] = first + second;
        v[i + k + length / 2] = first - second;
      }
  for (int64_t i = 0; i < n; ++i) a[i * step] = v[i];
}

struct Plane {
  Plane(int64_t h, int64_t w) : height(h), width(w), at(h * w) {}
  void transform_all(Direction direction) {
    const std::vector<Number> of_rows = roots_of(width), of_columns = roots_of(height);
    for (int64_t y = 0; y < height; ++y) transform(&at[y * width], width, 1, of_rows, direction);
    for (int64_t x = 0; x < width; ++x) transform(&at[x], height, width, of_columns, direction);
  }
  int64_t height, width;
  std::vector<Number> at;
};

LAB_CONV2D_CPU(float)(const lab::Conv2d<float>& c) {
  int64_t height = 1, width = 1;
  while (height < c.height + 2 * c.padding + c.filter_height) height *= 2;
  while (width < c.width + 2 * c.padding + c.filter_width) width *= 2;
  std::vector<Plane> filters, images;
  for (int64_t i = 0; i < c.filters * c.channels; ++i) {
    Plane& plane = filters.emplace_back(height, width);
    for (int64_t r = 0; r < c.filter_height; ++r)
      for (int64_t s = 0; s < c.filter_width; ++s)
        plane.at[r * width + s] = c.filter[(i * c.filter_height + r) * c.filter_width + s];
    plane.transform_all(Direction::there);
  }
  for (int64_t b = 0; b < c.batch; ++b) {
    images.clear();
    for (int64_t i = 0; i < c.channels; ++i) {
      Plane& plane = images.emplace_back(height, width);
      for (int64_t y = 0; y < c.height; ++y)
        for (int64_t x = 0; x < c.width; ++x)
          plane.at[(y + c.padding) * width + x + c.padding] = c.input[((b * c.channels + i) * c.height + y) * c.width + x];
      plane.transform_all(Direction::there);
    }
    for (int64_t f = 0; f < c.filters; ++f) {
      Plane sum(height, width);
      for (int64_t i = 0; i < c.channels; ++i)
        for (int64_t e = 0; e < height * width; ++e) sum.at[e] += images[i].at[e] * std::conj(filters[f * c.channels + i].at[e]);
      sum.transform_all(Direction::back);
      for (int64_t y = 0; y < c.out_height; ++y)
        for (int64_t x = 0; x < c.out_width; ++x)
          c.output[((b * c.filters + f) * c.out_height + y) * c.out_width + x] =
              sum.at[y * c.stride * width + x * c.stride].real() / static_cast<float>(height * width);
    }
  }
}
