// A GEMM problem with data and an output, for the tests of this folder.
#pragma once

#include "reference/common/run_for_test.h"
#include "reference/gemm/problem.h"

namespace harness::gemm {

inline const Kernel& kernel() { return *find_kernel("gemm"); }

inline ProblemPtr make(Dtype dtype, const Axes& parameters) {
  return harness::make(kernel(), dtype, parameters);
}

inline Axes edges(int64_t m, int64_t n, int64_t k) { return {{"m", m}, {"n", n}, {"k", k}}; }

struct GemmRun : KernelRun {
  using KernelRun::KernelRun;
  GemmRun(Dtype dtype, const Axes& parameters, Fill how, uint64_t seed = 1)
      : KernelRun(make(dtype, parameters), how, seed) {}

  template <class T>
  Matrix<T> of(size_t index) {
    return matrix<T>(*problem, buffers, index);
  }
};

inline WrongKernel wrong(Dtype dtype, const std::string& name) {
  return named(kernel().wrong_kernels(dtype), name);
}
inline RightKernel right(Dtype dtype, const std::string& name = "sequential") {
  return named(kernel().right_kernels(dtype), name);
}

}  // namespace harness::gemm
