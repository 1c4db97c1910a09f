// A convolution with data and an output, for the tests of this folder.
#pragma once

#include <string>
#include <vector>

#include "harness/check/check.h"
#include "reference/conv2d/problem.h"

namespace harness::conv2d {

inline const Kind& kind() { return *find_kind("conv2d"); }

inline ProblemPtr make(Dtype dtype, const Axes& parameters) {
  auto problem = kind().problem(dtype, parameters);
  return problem ? *problem : nullptr;
}

inline Axes with(Axes axes, const Axes& more) {
  axes.insert(axes.end(), more.begin(), more.end());
  return axes;
}

/// All that can go wrong at once: several images, channels and filters, nothing square, stride and padding.
inline const Axes mixed = {
    {"batch", int64_t{2}},        {"channels", int64_t{3}}, {"height", int64_t{11}},
    {"width", int64_t{14}},       {"filters", int64_t{4}},  {"filter_height", int64_t{3}},
    {"filter_width", int64_t{5}}, {"stride", int64_t{2}},   {"padding", int64_t{2}}};

/// As the lab has it: 3 channels, 1 filter of 3 x 3, padding 1.
inline Axes lab(int64_t size, int64_t stride = 1) {
  return {{"size", size}, {"channels", int64_t{3}}, {"padding", int64_t{1}}, {"stride", stride}};
}

struct ConvRun {
  ProblemPtr problem;
  Fill fill;
  std::vector<std::vector<double>> memory;  // double: aligned for both types
  std::vector<double> out;
  ConstHostBuffers inputs;
  HostBuffers buffers;  // as a kernel gets them: the inputs and `out`

  ConvRun(Dtype dtype, const Axes& parameters, Fill how, uint64_t seed = 1)
      : ConvRun(make(dtype, parameters), how, seed) {}

  ConvRun(ProblemPtr p, Fill how, uint64_t seed = 1) : problem(std::move(p)), fill(how) {
    for (const BufferSpec& b : problem->buffers()) {
      memory.emplace_back(static_cast<size_t>(b.bytes(problem->dtype()) / 8 + 1));
      buffers.push_back(reinterpret_cast<std::byte*>(memory.back().data()));
    }
    problem->fill(fill, seed, buffers);
    inputs.assign(buffers.begin(), buffers.end());
    reset();
  }
  ConvRun(const ConvRun&) = delete;
  ConvRun& operator=(const ConvRun&) = delete;

  void reset() {
    out = memory.back();
    buffers.back() = reinterpret_cast<std::byte*>(out.data());
  }
  template <class Kernel>
  ConvRun& compute(const Kernel& kernel) {
    reset();
    kernel.run(*problem, buffers);
    return *this;
  }
  template <class T>
  Matrix<T> of(size_t index) {
    return matrix<T>(*problem, buffers, index);
  }
  const Conv2d& conv() const { return static_cast<const Conv2d&>(*problem); }
  Verdict cells(const Precision& precision = {}) const {
    return judge_cells(*problem, fill, inputs, buffers.back(), precision);
  }
  Verdict projection(const Precision& precision = {}, uint64_t secret = 11) const {
    return judge_projection(*problem, fill, inputs, buffers.back(), precision, secret);
  }
};

inline WrongKernel wrong(Dtype dtype, const std::string& name) {
  for (WrongKernel& k : kind().wrong_kernels(dtype))
    if (k.name == name) return std::move(k);
  return {};
}

inline RightKernel right(Dtype dtype, const std::string& name = "sequential") {
  for (RightKernel& k : kind().right_kernels(dtype))
    if (k.name == name) return std::move(k);
  return {};
}

inline constexpr Dtype both_types[] = {Dtype::f32, Dtype::f64};
inline constexpr Fill both_fills[] = {Fill::integers, Fill::reals};

}  // namespace harness::conv2d
