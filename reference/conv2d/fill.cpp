// Draws images and filters, each from a seed of its own.
#include "harness/base/random.h"
#include "reference/common/draw.h"
#include "reference/conv2d/problem.h"

namespace harness::conv2d {

namespace {

/// The first place and tap that meet; the kernel lets no problem through that has none.
struct Meeting {
  int64_t place, tap;
};
Meeting first_meeting(const Edge& e) {
  Meeting first{e.outputs, 0};
  for (int64_t tap = 0; tap < e.taps; ++tap) {
    const Range places = e.places(tap);
    if (places.begin < places.end && places.begin < first.place) first = {places.begin, tap};
  }
  return first;
}

/// One cell must not come out as 0: a problem of one cell could not tell a kernel that writes zeros.
template <class T>
void keep_a_cell_off_zero(const Conv2d& p, const Matrix<T>& input, const ConstHostBuffers& inputs) {
  const Meeting y = first_meeting(p.rows()), x = first_meeting(p.columns());
  const Cell cell{y.place, x.place};
  double sum, scale;
  p.reference_at(inputs, {&cell, 1}, &sum, &scale);
  T& term = input.at(p.rows().under(y.place, y.tap), p.columns().under(x.place, x.tap));
  if (sum == 0) term = -term;
}

}  // namespace

void Conv2d::fill(Fill fill, uint64_t seed, const HostBuffers& buffers) const {
  with_type(dtype(), [&](auto type) {
    using T = decltype(type);
    const auto input = matrix<T>(*this, buffers, 0);
    draw(input, fill, largest_integer_, random_bits(seed, 0));
    draw(matrix<T>(*this, buffers, 1), fill, largest_integer_, random_bits(seed, 1));
    poison(matrix<T>(*this, buffers, 2));
    keep_a_cell_off_zero(*this, input, {buffers.begin(), buffers.end()});
  });
}

}  // namespace harness::conv2d
