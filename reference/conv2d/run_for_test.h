// A convolution with data and an output, for the tests of this folder.
#pragma once

#include "reference/common/run_for_test.h"
#include "reference/conv2d/problem.h"

namespace harness::conv2d {

inline const Kernel& kernel() { return *find_kernel("conv2d"); }

inline ProblemPtr make(Dtype dtype, const Axes& parameters) {
  return harness::make(kernel(), dtype, parameters);
}

/// Several images, channels and filters, nothing square, stride and padding: many mistakes show here.
inline const Axes mixed = {
    {"batch", int64_t{2}},        {"channels", int64_t{3}}, {"height", int64_t{11}},
    {"width", int64_t{14}},       {"filters", int64_t{4}},  {"filter_height", int64_t{3}},
    {"filter_width", int64_t{5}}, {"stride", int64_t{2}},   {"padding", int64_t{2}}};

/// The lab's problem: 3 channels, 1 filter of 3 x 3, padding 1.
inline Axes lab(int64_t size, int64_t stride = 1) {
  return {{"size", size}, {"channels", int64_t{3}}, {"padding", int64_t{1}}, {"stride", stride}};
}

struct ConvRun : KernelRun {
  using KernelRun::KernelRun;
  ConvRun(Dtype dtype, const Axes& parameters, Fill how, uint64_t seed = 1)
      : KernelRun(make(dtype, parameters), how, seed) {}

  template <class T>
  Matrix<T> of(size_t index) {
    return matrix<T>(*problem, buffers, index);
  }
  const Conv2d& conv() const { return static_cast<const Conv2d&>(*problem); }
};

inline WrongKernel wrong(Dtype dtype, const std::string& name) {
  return named(kernel().wrong_kernels(dtype), name);
}
inline RightKernel right(Dtype dtype, const std::string& name = "sequential") {
  return named(kernel().right_kernels(dtype), name);
}

}  // namespace harness::conv2d
