// Draws images and filters. Each has its own seed.
#include <algorithm>
#include <vector>

#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "reference/common/draw.h"
#include "reference/conv2d/problem.h"

namespace harness::conv2d {

namespace {

/// The first output index that some tap lies inside the image for. It exists: the kernel refuses all other
/// problems.
struct OutputAndTap {
  int64_t output, tap;
};
OutputAndTap first_inside(const Edge& e) {
  OutputAndTap first{e.outputs, 0};
  for (int64_t tap = 0; tap < e.taps; ++tap) {
    const Range outputs = e.valid_outputs(tap);
    if (outputs.begin < outputs.end && outputs.begin < first.output) first = {outputs.begin, tap};
  }
  return first;
}

/// Makes sure that one cell of the result is not 0. Otherwise a kernel that writes zeros would pass where the
/// output has only one cell.
template <class T>
void keep_a_cell_off_zero(const Conv2d& p, const Matrix<T>& input, const ConstHostBuffers& inputs) {
  const OutputAndTap y = first_inside(p.rows()), x = first_inside(p.columns());
  const Cell cell{y.output, x.output};
  double sum, scale;
  p.reference_at(inputs, {&cell, 1}, &sum, &scale);
  T& term = input.at(p.rows().under(y.output, y.tap), p.columns().under(x.output, x.tap));
  if (sum == 0) term = -term;
}

/// Filters up to this edge have algorithms that save products (Winograd), if need be on three taps at a time.
constexpr int64_t most_mixed_taps = 11;

/// Multiplies most rows and columns of each image, or every second one of a filter, by 1/256, which rounds nothing: on average one
/// line in `one_in` stays. A variant that computes with sums of neighbours (Winograd) is then wrong in results that need small
/// products only. `height`: of one image or filter; groups of `rows` rows share their factors.
template <class T>
void scale_lines(const Matrix<T>& m, int64_t height, int64_t rows, uint64_t one_in, uint64_t seed) {
  const auto factor = [=](int64_t group, int64_t line, uint64_t which) {
    const auto at = static_cast<uint64_t>(group) << 32 | static_cast<uint64_t>(line);
    return lab::Sum<T>(random_bits(random_bits(seed, which), at) % one_in == 0 ? 1 : 0x1p-8);
  };
  parallel_for(m.rows, std::max<int64_t>(1, (int64_t{1} << 16) / m.ld), [&](int64_t begin, int64_t end) {
    std::vector<lab::Sum<T>> of_column(static_cast<size_t>(m.cols));
    for (int64_t i = begin; i < end; ++i) {
      if (i == begin || i % rows == 0)
        for (int64_t j = 0; j < m.cols; ++j) of_column[static_cast<size_t>(j)] = factor(i / rows, j, 1);
      const auto of_row = factor(i / rows, i % height, 0);
      for (int64_t j = 0; j < m.cols; ++j) m.at(i, j) = static_cast<T>(m.at(i, j) * of_row * of_column[static_cast<size_t>(j)]);
    }
  });
}

}  // namespace

void Conv2d::fill(Fill fill, uint64_t seed, const HostBuffers& buffers) const {
  with_type(dtype(), [&](auto type) {
    using T = decltype(type);
    const auto input = matrix<T>(*this, buffers, 0);
    draw(input, fill, largest_integer_, random_bits(seed, 0));
    const auto filters = matrix<T>(*this, buffers, 1);
    draw(filters, fill, largest_integer_, random_bits(seed, 1));
    const int64_t rows_of_filter = shape_.channels * shape_.filter_height;
    if (fill == Fill::reals) scale_rows(filters, rows_of_filter, random_bits(seed, 3));
    // In bf16 the results have too few digits to show it.
    if (fill == Fill::reals && sizeof(T) > 2 && std::max(shape_.filter_height, shape_.filter_width) <= most_mixed_taps) {
      scale_lines(input, shape_.height, input.rows, 4, random_bits(seed, 4));
      scale_lines(filters, shape_.filter_height, rows_of_filter, 2, random_bits(seed, 5));
    }
    draw_output(matrix<T>(*this, buffers, 2), fill, random_bits(seed, 2));
    keep_a_cell_off_zero(*this, input, {buffers.begin(), buffers.end()});
  });
}

}  // namespace harness::conv2d
