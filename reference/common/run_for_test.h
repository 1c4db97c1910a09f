// A problem with data and an output, for the tests of a kernel's folder.
#pragma once

#include <string>
#include <vector>

#include "harness/check/check.h"

namespace harness {

inline Axes with(Axes axes, const Axes& more) {
  axes.insert(axes.end(), more.begin(), more.end());
  return axes;
}

struct KernelRun {
  ProblemPtr problem;
  Fill fill;
  std::vector<std::vector<double>> memory;  // double: aligned for both types
  std::vector<double> out;
  ConstHostBuffers inputs;
  HostBuffers buffers;  // what a kernel gets: the inputs and `out`

  KernelRun(ProblemPtr p, Fill how, uint64_t seed = 1) : problem(std::move(p)), fill(how) {
    for (const BufferSpec& b : problem->buffers()) {
      memory.emplace_back(static_cast<size_t>(b.bytes(problem->dtype()) / 8 + 1));
      buffers.push_back(reinterpret_cast<std::byte*>(memory.back().data()));
    }
    problem->fill(fill, seed, buffers);
    inputs.assign(buffers.begin(), buffers.end());
    reset();
  }
  KernelRun(const KernelRun&) = delete;
  KernelRun& operator=(const KernelRun&) = delete;

  void reset() {
    out = memory.back();
    buffers.back() = reinterpret_cast<std::byte*>(out.data());
  }
  template <class Kernel>
  KernelRun& compute(const Kernel& kernel) {
    reset();
    kernel.run(*problem, buffers);
    return *this;
  }
  CheckResult cells(const Precision& precision = {}) const {
    return check_cells(*problem, fill, inputs, buffers.back(), precision);
  }
  CheckResult projection(const Precision& precision = {}, uint64_t secret = 11) const {
    return check_projection(*problem, fill, inputs, buffers.back(), precision, secret);
  }
  CheckResult output() const { return check_output(*problem, fill, inputs, buffers.back(), {}, 11); }
};

inline ProblemPtr make(const Kernel& kernel, Dtype dtype, const Axes& parameters) {
  auto problem = kernel.problem(dtype, parameters);
  return problem ? *problem : nullptr;
}

/// The kernel of that name, or an empty one.
template <class Kernel>
Kernel named(std::vector<Kernel> kernels, const std::string& name) {
  for (Kernel& k : kernels)
    if (k.name == name) return std::move(k);
  return {};
}

inline constexpr Fill both_fills[] = {Fill::integers, Fill::reals};

}  // namespace harness
