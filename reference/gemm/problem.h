// One GEMM problem, C = alpha A B + beta C. Its methods are in several files of this folder: fill.cpp draws
// data, reference.cpp computes the right result, project.cpp checks large outputs, explain.cpp names
// mistakes.
#pragma once

#include <string>
#include <vector>

#include "harness/kernel/kernel.h"
#include "lab/gemm.h"
#include "reference/common/matrix.h"

namespace harness::gemm {

/// The shape as the variant gets it. Scalars are rounded to the dtype, because the reference must use the
/// same ones.
using Shape = lab::GemmProblem;

class Gemm final : public Problem {
 public:
  /// `shape` must be valid (make_problem checks it); its alpha and beta may still have more digits than the
  /// dtype.
  Gemm(Dtype dtype, const Shape& shape);

  const Shape& shape() const { return shape_; }
  /// Largest |input| of Fill::integers. At least 1, even if no integers would give exact sums.
  int64_t largest_integer() const { return largest_integer_; }
  /// With integer data every partial sum is a multiple of 2^-fraction_bits.
  int fraction_bits() const { return fraction_bits_; }
  /// Upper bound of |result| for integer data.
  double largest_result() const;

  std::string label() const override;
  Axes parameters() const override;
  std::span<const std::byte> blob() const override { return std::as_bytes(std::span(&shape_, 1)); }
  const std::vector<BufferSpec>& buffers() const override { return buffers_; }
  double flops() const override;
  double least_flops(Algorithms algorithms) const override;
  double bytes() const override;
  int64_t reduction_length() const override { return shape_.k; }
  bool exact_possible(double u, double u_in) const override;
  void fill(Fill fill, uint64_t seed, const HostBuffers& buffers) const override;
  void reference(const ConstHostBuffers& inputs, double* value, double* scale) const override;
  void reference_at(const ConstHostBuffers& inputs, std::span<const Cell> cells, double* value,
                    double* scale) const override;
  double old_part(const ConstHostBuffers& inputs, Cell cell) const override;
  double normwise_scale(const ConstHostBuffers& inputs, std::span<const double> scales) const override;
  std::vector<LineResidual> project(const ConstHostBuffers& inputs, const std::byte* output, uint64_t seed,
                                    Fill fill, double u, double u_in) const override;
  std::optional<std::string> explain(const ConstHostBuffers& inputs, const std::byte* got) const override;

 private:
  Shape given_;  // before rounding to the dtype, for labels
  Shape shape_;
  std::vector<BufferSpec> buffers_;
  int fraction_bits_ = 0;
  int64_t largest_integer_ = 1;
};

std::vector<WrongKernel> wrong_kernels(Dtype dtype);
std::vector<RightKernel> right_kernels(Dtype dtype);
std::vector<ProblemPtr> check_problems(Dtype dtype, const Axes& macros, const Axes& scalars);
std::vector<ProblemPtr> drawn_problems(Dtype dtype, const Axes& macros, uint64_t seed, int count);
std::vector<ProblemPtr> neighbours(const Gemm& problem, uint64_t seed, int count);

}  // namespace harness::gemm
