// A kernel for tests: it has parameters and shapes, and computes nothing.
#pragma once

#include <fmt/format.h>

#include "harness/kernel/kernel.h"

namespace harness {

class TestProblem : public Problem {
 public:
  TestProblem(Dtype dtype, Axes parameters) : Problem(dtype), parameters_(std::move(parameters)) {}

  std::string label() const override { return to_string(parameters_); }
  Axes parameters() const override { return parameters_; }
  std::span<const std::byte> blob() const override { return {}; }
  const std::vector<BufferSpec>& buffers() const override { return buffers_; }
  double flops() const override { return 1e9; }
  double least_flops(Algorithms algorithms) const override { return algorithms == Algorithms::direct ? least : least / 4; }
  double bytes() const override { return 0; }
  int64_t reduction_length() const override { return 1; }
  void fill(Fill, uint64_t, const HostBuffers&) const override {}
  void reference(const ConstHostBuffers&, double*, double*) const override {}
  void reference_at(const ConstHostBuffers&, std::span<const Cell>, double*, double*) const override {}
  std::vector<LineResidual> project(const ConstHostBuffers&, const std::byte*, uint64_t, Fill, double,
                                    double) const override {
    return {};
  }
  std::optional<std::string> explain(const ConstHostBuffers&, const std::byte*) const override { return {}; }

  double least = 1e9;

 private:
  Axes parameters_;
  std::vector<BufferSpec> buffers_;
};

/// All but beta must be at least 1.
class TestKernel : public Kernel {
 public:
  std::string name() const override { return "gemm"; }
  std::string formula() const override { return "C = A B"; }
  std::vector<Parameter> parameters() const override {
    using enum Parameter::Type;
    return {{"size", integer, ""}, {"m", integer, ""},  {"n", integer, ""},
            {"k", integer, ""},    {"alpha", real, ""}, {"beta", real, ""}};
  }
  Result<ProblemPtr> problem(Dtype dtype, const Axes& given) const override {
    for (const auto& [name, value] : given)
      if (const auto* whole = std::get_if<int64_t>(&value); whole && *whole < 1 && name != "beta")
        return Error{fmt::format("{} must be at least 1, not {}", name, *whole)};
    return ProblemPtr(std::make_shared<TestProblem>(dtype, given));
  }
  std::vector<ProblemPtr> check_problems(Dtype, const Axes&, const Axes&) const override { return {}; }
  std::vector<WrongKernel> wrong_kernels(Dtype) const override { return {}; }
};

}  // namespace harness
