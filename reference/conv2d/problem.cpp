#include "reference/conv2d/problem.h"

#include <algorithm>
#include <cmath>

namespace harness::conv2d {

namespace {

/// Largest partial sum of integer data. f32 has 2^24: two bits are kept for algorithms that add inputs before
/// they multiply. f64 has 2^53: the rest is kept for project(), which weights whole lines exactly.
double largest_sum(Dtype dtype, const BufferSpec& output) {
  if (dtype == Dtype::bf16) return 0x1p8;  // in a result; sums have more digits
  if (dtype == Dtype::f32) return 0x1p22;
  return 0x1p52 / (256.0 * static_cast<double>(std::max(output.rows, output.cols)));
}

}  // namespace

Range Edge::valid_outputs(int64_t tap) const {
  const auto ceil_div = [this](int64_t n) { return n <= 0 ? 0 : (n + stride - 1) / stride; };
  const int64_t begin = std::min(ceil_div(padding - tap), outputs);
  return {begin, std::clamp(ceil_div(image + padding - tap), begin, outputs)};
}

int64_t Edge::taps_inside() const {
  int64_t inside = 0;
  for (int64_t tap = 0; tap < taps; ++tap) inside += valid_outputs(tap).end - valid_outputs(tap).begin;
  return inside;
}

int64_t Edge::lines_met() const {
  // stride <= taps: the filter reads every line up to its last position. Otherwise it skips lines and reads
  // none twice.
  return stride <= taps ? std::clamp<int64_t>(under(outputs - 1, taps), 0, image) : taps_inside();
}

Edge rows_of(const Shape& s) {
  return {s.height, s.filter_height, s.stride, s.padding,
          lab::output_edge(s.height, s.filter_height, s.stride, s.padding)};
}

Edge columns_of(const Shape& s) {
  return {s.width, s.filter_width, s.stride, s.padding,
          lab::output_edge(s.width, s.filter_width, s.stride, s.padding)};
}

bool steps_over_image(const Shape& s) { return rows_of(s).taps_inside() == 0 || columns_of(s).taps_inside() == 0; }

Conv2d::Conv2d(Dtype dtype, const Shape& shape) : Problem(dtype), shape_(shape) {
  const Shape& s = shape_;
  buffers_ = {
      {"input", Role::input, s.batch * s.channels * s.height, s.width, s.width},
      {"filter", Role::input, s.filters * s.channels * s.filter_height, s.filter_width, s.filter_width},
      {"output", Role::output, s.batch * s.filters * rows().outputs, columns().outputs, columns().outputs}};
  const double squared = largest_sum(dtype, output()) / static_cast<double>(reduction_length());
  largest_integer_ = std::max<int64_t>(1, static_cast<int64_t>(std::sqrt(squared)));
}

OutputPixel Conv2d::output_pixel(Cell cell) const {
  const int64_t height = rows().outputs, map = cell.row / height;
  return {map / shape_.filters, map % shape_.filters, cell.row % height, cell.col};
}

double Conv2d::largest_result() const {
  const double l = static_cast<double>(largest_integer_);
  return static_cast<double>(reduction_length()) * l * l;
}

bool Conv2d::exact_possible(double u, double u_in) const {
  return largest_result() <= std::min(largest_sum(dtype(), output()), 1 / u) &&
         static_cast<double>(largest_integer_) * u_in <= 1;
}

std::string Conv2d::label() const {
  const Shape& s = shape_;
  Axes shown;
  if (s.batch != 1) shown.emplace_back("batch", s.batch);
  if (s.channels != 1) shown.emplace_back("channels", s.channels);
  shown.emplace_back("height", s.height);
  shown.emplace_back("width", s.width);
  if (s.filters != 1) shown.emplace_back("filters", s.filters);
  if (s.filter_height == s.filter_width) {
    shown.emplace_back("filter", s.filter_height);
  } else {
    shown.emplace_back("filter_height", s.filter_height);
    shown.emplace_back("filter_width", s.filter_width);
  }
  if (s.stride != 1) shown.emplace_back("stride", s.stride);
  if (s.padding != 0) shown.emplace_back("padding", s.padding);
  return to_string(shown);
}

Axes Conv2d::parameters() const {
  const Shape& s = shape_;
  Axes all;
  if (s.height == s.width) all.emplace_back("size", s.height);
  if (s.filter_height == s.filter_width) all.emplace_back("filter", s.filter_height);
  for (const auto& [name, value] : {std::pair{"batch", s.batch},
                                    {"channels", s.channels},
                                    {"height", s.height},
                                    {"width", s.width},
                                    {"filters", s.filters},
                                    {"filter_height", s.filter_height},
                                    {"filter_width", s.filter_width},
                                    {"stride", s.stride},
                                    {"padding", s.padding}})
    all.emplace_back(name, value);
  return all;
}

int64_t Conv2d::reduction_length() const {
  return shape_.channels * shape_.filter_height * shape_.filter_width;
}

// Taps outside the image count too: published GFLOP/s figures count them.
double Conv2d::flops() const {
  return 2.0 * static_cast<double>(output().rows) * static_cast<double>(output().cols) *
         static_cast<double>(reduction_length());
}

// Winograd's algorithms need a product and more per channel, filter and output, however large the filter (Arithmetic
// Complexity of Computations, 1980).
double Conv2d::least_flops(Algorithms algorithms) const {
  const double maps = 2.0 * static_cast<double>(shape_.batch * shape_.channels * shape_.filters);
  const double direct = maps * static_cast<double>(rows().taps_inside()) * static_cast<double>(columns().taps_inside());
  if (algorithms == Algorithms::direct) return direct;
  return std::min(direct, maps * static_cast<double>(rows().outputs) * static_cast<double>(columns().outputs));
}

// With a stride larger than the filter some pixels are never read; they do not count.
double Conv2d::bytes() const {
  const Shape& s = shape_;
  const double read = static_cast<double>(s.batch * s.channels) * static_cast<double>(rows().lines_met()) *
                      static_cast<double>(columns().lines_met());
  const BufferSpec& filter = buffers_[1];
  const double elements = read + static_cast<double>(filter.rows) * static_cast<double>(filter.cols) +
                          static_cast<double>(output().rows) * static_cast<double>(output().cols);
  return elements * static_cast<double>(size_of(dtype()));
}

}  // namespace harness::conv2d
