// The reference result in float64. The same pass computes the scale of the error bound, |input| * |filter|.
#include <algorithm>
#include <cmath>
#include <vector>

#include "harness/base/parallel.h"
#include "reference/conv2d/problem.h"

namespace harness::conv2d {

namespace {

/// One row of the output. Taps are added in the order c, r, s.
template <class T>
void whole_row(const Conv2d& p, Matrix<const T> input, Matrix<const T> filter, const OutputPixel& at,
               double* value, double* scale) {
  const Shape& s = p.shape();
  const Edge rows = p.rows(), columns = p.columns();
  std::fill_n(value, columns.outputs, 0.0);
  std::fill_n(scale, columns.outputs, 0.0);
  for (int64_t c = 0; c < s.channels; ++c)
    for (int64_t r = 0; r < s.filter_height; ++r) {
      const int64_t line = rows.under(at.y, r);
      if (!rows.inside(line)) continue;
      const T* image = input.row((at.image * s.channels + c) * s.height + line);
      const T* weights = filter.row((at.filter * s.channels + c) * s.filter_height + r);
      for (int64_t t = 0; t < s.filter_width; ++t) {
        const double weight = static_cast<double>(weights[t]);
        const Range outputs = columns.valid_outputs(t);
        for (int64_t x = outputs.begin; x < outputs.end; ++x) {
          const double product = weight * static_cast<double>(image[columns.under(x, t)]);
          value[x] += product;
          scale[x] += std::abs(product);
        }
      }
    }
}

template <class T>
void one_cell(const Conv2d& p, Matrix<const T> input, Matrix<const T> filter, const OutputPixel& at,
              double& value, double& scale) {
  const Shape& s = p.shape();
  const Edge rows = p.rows(), columns = p.columns();
  value = scale = 0;
  for (int64_t c = 0; c < s.channels; ++c)
    for (int64_t r = 0; r < s.filter_height; ++r) {
      const int64_t line = rows.under(at.y, r);
      if (!rows.inside(line)) continue;
      const T* image = input.row((at.image * s.channels + c) * s.height + line);
      const T* weights = filter.row((at.filter * s.channels + c) * s.filter_height + r);
      for (int64_t t = 0; t < s.filter_width; ++t) {
        const int64_t column = columns.under(at.x, t);
        if (!columns.inside(column)) continue;
        const double product = static_cast<double>(weights[t]) * static_cast<double>(image[column]);
        value += product;
        scale += std::abs(product);
      }
    }
}

}  // namespace

void Conv2d::reference(const ConstHostBuffers& inputs, double* value, double* scale) const {
  with_type(dtype(), [&](auto type) {
    using T = decltype(type);
    const auto input = matrix<T>(*this, inputs, 0), filter = matrix<T>(*this, inputs, 1);
    const int64_t width = output().cols,
                  grain = std::max<int64_t>(1, (1 << 18) / (width * reduction_length()));
    parallel_for(output().rows, grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        whole_row<T>(*this, input, filter, output_pixel({i, 0}), value + i * width, scale + i * width);
    });
  });
}

void Conv2d::reference_at(const ConstHostBuffers& inputs, std::span<const Cell> cells, double* value,
                          double* scale) const {
  with_type(dtype(), [&](auto type) {
    using T = decltype(type);
    const auto input = matrix<T>(*this, inputs, 0), filter = matrix<T>(*this, inputs, 1);
    const int64_t grain = std::max<int64_t>(1, (1 << 16) / reduction_length());
    parallel_for(static_cast<int64_t>(cells.size()), grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        one_cell<T>(*this, input, filter, output_pixel(cells[static_cast<size_t>(i)]), value[i], scale[i]);
    });
  });
}

double Conv2d::normwise_scale(const ConstHostBuffers& inputs, std::span<const double> scales) const {
  double largest = Problem::normwise_scale(inputs, scales);
  with_type(dtype(), [&](auto type) {
    using T = decltype(type);
    const Shape& s = shape_;
    const auto input = matrix<T>(*this, inputs, 0), filter = matrix<T>(*this, inputs, 1);
    const auto magnitude = [](T x) { return std::abs(static_cast<double>(x)); };
    std::vector<double> pixel(static_cast<size_t>(s.channels), 0.0);
    for (int64_t row = 0; row < s.batch * s.channels * s.height; ++row) {
      double& of_channel = pixel[static_cast<size_t>(row / s.height % s.channels)];
      for (int64_t x = 0; x < s.width; ++x) of_channel = std::max(of_channel, magnitude(input.row(row)[x]));
    }
    for (int64_t f = 0; f < s.filters; ++f) {
      double sum = 0;
      for (int64_t row = 0; row < s.channels * s.filter_height; ++row)
        for (int64_t t = 0; t < s.filter_width; ++t)
          sum += pixel[static_cast<size_t>(row / s.filter_height)] *
                 magnitude(filter.row(f * s.channels * s.filter_height + row)[t]);
      largest = std::max(largest, sum);
    }
  });
  return largest;
}

}  // namespace harness::conv2d
