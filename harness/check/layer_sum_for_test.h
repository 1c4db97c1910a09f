// A small kernel for tests: out = layer 0 + layer 1 + ... (+ old out). The check must work for any kernel,
// and here the right value of a cell is easy to see: with one layer the output is a copy.
#pragma once

#include <cmath>
#include <cstring>
#include <memory>

#include "harness/base/random.h"
#include "harness/check/check.h"

namespace harness {

class LayerSum final : public Problem {
 public:
  /// The lines that project() returns: all, or too few.
  enum class Project { all, rows, nothing };
  struct Shape {
    int64_t layers = 1, rows = 4, cols = 4, ld = 4;
    Role role = Role::output;
    Project project = Project::all;
  };

  LayerSum(Dtype dtype, const Shape& shape) : Problem(dtype), s_(shape) {
    buffers_ = {{"X", Role::input, s_.layers * s_.rows, s_.cols, s_.ld},
                {"Y", s_.role, s_.rows, s_.cols, s_.ld}};
  }

  std::string label() const override { return "layers"; }
  Axes parameters() const override { return {{"layers", s_.layers}, {"rows", s_.rows}, {"cols", s_.cols}}; }
  std::span<const std::byte> blob() const override { return std::as_bytes(std::span(&s_, 1)); }
  const std::vector<BufferSpec>& buffers() const override { return buffers_; }
  double flops() const override { return static_cast<double>(s_.layers * s_.rows * s_.cols); }
  double least_flops(Algorithms) const override { return flops(); }
  double bytes() const override { return flops(); }
  int64_t reduction_length() const override { return s_.layers; }

  void fill(Fill fill, uint64_t seed, const HostBuffers& buffers) const override {
    for (size_t b = 0; b < buffers_.size(); ++b) {
      const BufferSpec& spec = buffers_[b];
      if (spec.role == Role::output)
        std::memset(buffers[b], poison_byte, static_cast<size_t>(spec.bytes(dtype())));
      else
        for (int64_t i = 0; i < spec.rows; ++i)
          for (int64_t j = 0; j < spec.cols; ++j) {
            const uint64_t bits = random_bits(seed + b, static_cast<uint64_t>(i * spec.cols + j));
            const double real = static_cast<double>(static_cast<int64_t>(bits)) * 0x1p-63;
            put(buffers[b], i * spec.ld + j, fill == Fill::reals ? real : std::round(real * 1000));
          }
    }
  }

  void reference(const ConstHostBuffers& inputs, double* value, double* scale) const override {
    for (int64_t i = 0; i < s_.rows; ++i)
      for (int64_t j = 0; j < s_.cols; ++j) {
        const Cell cell{i, j};
        reference_at(inputs, std::span(&cell, 1), value + i * s_.cols + j, scale + i * s_.cols + j);
      }
  }

  void reference_at(const ConstHostBuffers& inputs, std::span<const Cell> cells, double* value,
                    double* scale) const override {
    for (size_t c = 0; c < cells.size(); ++c) {
      const int64_t at = cells[c].row * s_.ld + cells[c].col;
      value[c] = scale[c] = 0;
      for (int64_t l = 0; l < s_.layers; ++l)
        add(get(inputs[0], l * s_.rows * s_.ld + at), value[c], scale[c]);
      if (s_.role == Role::inout) add(get(inputs[1], at), value[c], scale[c]);
    }
  }

  std::vector<LineResidual> project(const ConstHostBuffers& inputs, const std::byte* output, uint64_t seed,
                                    Fill fill, double u, double) const override {
    std::vector<double> value(static_cast<size_t>(s_.rows * s_.cols)), scale(value.size());
    reference(inputs, value.data(), scale.data());
    std::vector<LineResidual> lines;
    for (int64_t i = 0; i < s_.rows; ++i) lines.push_back({LineResidual::Axis::row, i, 0, 0});
    for (int64_t j = 0; j < s_.cols; ++j) lines.push_back({LineResidual::Axis::column, j, 0, 0});
    for (int64_t i = 0; i < s_.rows; ++i)
      for (int64_t j = 0; j < s_.cols; ++j) {
        const auto at = static_cast<size_t>(i * s_.cols + j);
        const double weight = 1 + static_cast<double>(random_bits(seed, at) % 64);
        for (LineResidual* line :
             {&lines[static_cast<size_t>(i)], &lines[static_cast<size_t>(s_.rows + j)]}) {
          line->residual += weight * (get(output, i * s_.ld + j) - value[at]);
          if (fill == Fill::reals) line->limit += 6 * weight * u * scale[at];
        }
      }
    for (LineResidual& line : lines) line.residual = std::abs(line.residual);
    if (s_.project == Project::rows) lines.resize(static_cast<size_t>(s_.rows));
    if (s_.project == Project::nothing) lines.clear();
    return lines;
  }

  std::optional<std::string> explain(const ConstHostBuffers&, const std::byte*) const override { return {}; }

  double get(const std::byte* buffer, int64_t at) const {
    return dtype() == Dtype::f32 ? static_cast<double>(reinterpret_cast<const float*>(buffer)[at])
                                 : reinterpret_cast<const double*>(buffer)[at];
  }
  void put(std::byte* buffer, int64_t at, double x) const {
    if (dtype() == Dtype::f32)
      reinterpret_cast<float*>(buffer)[at] = static_cast<float>(x);
    else
      reinterpret_cast<double*>(buffer)[at] = x;
  }

 private:
  static void add(double x, double& value, double& scale) {
    value += x;
    scale += std::abs(x);
  }

  Shape s_;
  std::vector<BufferSpec> buffers_;
};

/// A problem with data and the right output in place.
struct LayerSumRun {
  LayerSum problem;
  Fill fill;
  std::vector<double> x, y, before;
  ConstHostBuffers inputs;

  LayerSumRun(Dtype dtype, const LayerSum::Shape& shape, Fill how, uint64_t seed = 1)
      : problem(dtype, shape), fill(how) {
    x.resize(static_cast<size_t>(problem.buffers()[0].elements()) + 1);
    before.resize(static_cast<size_t>(problem.buffers()[1].elements()) + 1);
    problem.fill(how, seed,
                 {reinterpret_cast<std::byte*>(x.data()), reinterpret_cast<std::byte*>(before.data())});
    inputs = {reinterpret_cast<const std::byte*>(x.data()),
              reinterpret_cast<const std::byte*>(before.data())};
    y = before;
    for (int64_t i = 0; i < shape.rows; ++i)
      for (int64_t j = 0; j < shape.cols; ++j) set(i, j, want(i, j));
  }

  std::byte* output() { return reinterpret_cast<std::byte*>(y.data()); }
  int64_t at(int64_t i, int64_t j) const { return i * problem.output().ld + j; }
  double want(int64_t i, int64_t j) const {
    const Cell cell{i, j};
    double value, scale;
    problem.reference_at(inputs, std::span(&cell, 1), &value, &scale);
    return value;
  }
  void set(int64_t i, int64_t j, double v) { problem.put(output(), at(i, j), v); }
  /// Restores the value from before the call.
  void leave(int64_t i, int64_t j) {
    const size_t size = size_of(problem.dtype());
    std::memcpy(output() + static_cast<size_t>(at(i, j)) * size,
                inputs[1] + static_cast<size_t>(at(i, j)) * size, size);
  }
  template <class F>
  void each(F f) const {
    for (int64_t i = 0; i < problem.output().rows; ++i)
      for (int64_t j = 0; j < problem.output().cols; ++j) f(i, j);
  }

  CheckResult cells(const Precision& precision = {}) {
    return check_cells(problem, fill, inputs, output(), precision);
  }
  CheckResult projection(const Precision& precision = {}, uint64_t secret = 7) {
    return check_projection(problem, fill, inputs, output(), precision, secret);
  }
};

}  // namespace harness
