// Draws images and filters. Each has its own seed.
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

}  // namespace

void Conv2d::fill(Fill fill, uint64_t seed, const HostBuffers& buffers) const {
  with_type(dtype(), [&](auto type) {
    using T = decltype(type);
    const auto input = matrix<T>(*this, buffers, 0);
    draw(input, fill, largest_integer_, random_bits(seed, 0));
    const auto filters = matrix<T>(*this, buffers, 1);
    draw(filters, fill, largest_integer_, random_bits(seed, 1));
    if (fill == Fill::reals) scale_rows(filters, shape_.channels * shape_.filter_height, random_bits(seed, 3));
    draw_output(matrix<T>(*this, buffers, 2), fill, random_bits(seed, 2));
    keep_a_cell_off_zero(*this, input, {buffers.begin(), buffers.end()});
  });
}

}  // namespace harness::conv2d
