// A GEMM problem with data and an output, for the tests of this folder.
#pragma once

#include <string>
#include <vector>

#include "harness/check/check.h"
#include "reference/gemm/problem.h"

namespace harness::gemm {

inline const Kind& kind() { return *find_kind("gemm"); }

inline ProblemPtr make(Dtype dtype, const Axes& parameters) {
  auto problem = kind().problem(dtype, parameters);
  return problem ? *problem : nullptr;
}

inline Axes edges(int64_t m, int64_t n, int64_t k) { return {{"m", m}, {"n", n}, {"k", k}}; }

inline Axes with(Axes axes, const Axes& more) {
  axes.insert(axes.end(), more.begin(), more.end());
  return axes;
}

struct GemmRun {
  ProblemPtr problem;
  Fill fill;
  std::vector<std::vector<double>> memory;  // double: aligned for both types
  std::vector<double> out;
  ConstHostBuffers inputs;
  HostBuffers buffers;  // as a kernel gets them: the inputs and `out`

  GemmRun(Dtype dtype, const Axes& parameters, Fill how, uint64_t seed = 1)
      : GemmRun(make(dtype, parameters), how, seed) {}

  GemmRun(ProblemPtr p, Fill how, uint64_t seed = 1) : problem(std::move(p)), fill(how) {
    for (const BufferSpec& b : problem->buffers()) {
      memory.emplace_back(static_cast<size_t>(b.bytes(problem->dtype()) / 8 + 1));
      buffers.push_back(reinterpret_cast<std::byte*>(memory.back().data()));
    }
    problem->fill(fill, seed, buffers);
    inputs.assign(buffers.begin(), buffers.end());
    reset();
  }
  GemmRun(const GemmRun&) = delete;
  GemmRun& operator=(const GemmRun&) = delete;

  void reset() {
    out = memory.back();
    buffers.back() = reinterpret_cast<std::byte*>(out.data());
  }
  template <class Kernel>
  GemmRun& compute(const Kernel& kernel) {
    reset();
    kernel.run(*problem, buffers);
    return *this;
  }
  template <class T>
  Matrix<T> of(size_t index) {
    return matrix<T>(*problem, buffers, index);
  }
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

}  // namespace harness::gemm
