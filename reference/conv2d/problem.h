// One convolution of a batch of images with filters. Its methods are in several files of this folder:
// fill.cpp draws data, reference.cpp computes the right result, project.cpp checks large outputs, explain.cpp
// names mistakes.
#pragma once

#include <string>
#include <vector>

#include "harness/kernel/kernel.h"
#include "lab/conv2d.h"
#include "reference/common/matrix.h"

namespace harness::conv2d {

/// The problem as the variant gets it.
using Shape = lab::Conv2dProblem;

/// One cell of the output.
struct OutputPixel {
  int64_t image, filter, y, x;
};

/// [begin, end)
struct Range {
  int64_t begin, end;
};

/// One direction (rows or columns): which input lines belong to which output lines.
struct Edge {
  int64_t image, taps, stride, padding, outputs;

  /// The input line that `tap` of the filter reads for `output`; it may lie outside the image.
  int64_t under(int64_t output, int64_t tap) const { return output * stride + tap - padding; }
  bool inside(int64_t line) const { return line >= 0 && line < image; }
  /// The outputs for which `tap` reads inside the image.
  Range valid_outputs(int64_t tap) const;
  /// Number of pairs of a tap and an output that read inside the image.
  int64_t taps_inside() const;
  /// Number of input lines that are read for some output.
  int64_t lines_met() const;
};

Edge rows_of(const Shape& shape);     // height
Edge columns_of(const Shape& shape);  // width

class Conv2d final : public Problem {
 public:
  /// `shape` must be valid (the kernel's problem() checks it).
  Conv2d(Dtype dtype, const Shape& shape);

  const Shape& shape() const { return shape_; }
  Edge rows() const { return rows_of(shape_); }
  Edge columns() const { return columns_of(shape_); }
  OutputPixel output_pixel(Cell cell) const;
  /// Largest |input| of Fill::integers. At least 1, even if no integers would give exact sums.
  int64_t largest_integer() const { return largest_integer_; }
  /// Upper bound of |result| for integer data.
  double largest_result() const;

  std::string label() const override;
  Axes parameters() const override;
  std::span<const std::byte> blob() const override { return std::as_bytes(std::span(&shape_, 1)); }
  const std::vector<BufferSpec>& buffers() const override { return buffers_; }
  double flops() const override;
  double least_flops(Algorithms algorithms) const override;
  double bytes() const override;
  int64_t reduction_length() const override;
  bool exact_possible(double u, double u_in) const override;
  void fill(Fill fill, uint64_t seed, const HostBuffers& buffers) const override;
  void reference(const ConstHostBuffers& inputs, double* value, double* scale) const override;
  void reference_at(const ConstHostBuffers& inputs, std::span<const Cell> cells, double* value,
                    double* scale) const override;
  /// Sum over channels of max |pixel| times sum |weight|, for the filter where this is largest. It uses all
  /// weights even if most of a filter lies outside the image, because the transform of the filter mixes all
  /// of them.
  double normwise_scale(const ConstHostBuffers& inputs, std::span<const double> scales) const override;
  std::vector<LineResidual> project(const ConstHostBuffers& inputs, const std::byte* output, uint64_t seed,
                                    Fill fill, double u, double u_in) const override;
  std::optional<std::string> explain(const ConstHostBuffers& inputs, const std::byte* got) const override;

 private:
  Shape shape_;
  std::vector<BufferSpec> buffers_;
  int64_t largest_integer_ = 1;
};

std::vector<WrongKernel> wrong_kernels(Dtype dtype);
std::vector<RightKernel> right_kernels(Dtype dtype);
std::vector<ProblemPtr> check_problems(Dtype dtype, const Axes& macros, const Axes& scalars);
std::vector<ProblemPtr> drawn_problems(Dtype dtype, const Axes& macros, uint64_t seed, int count);
/// True if all pixels lie between two positions of the filter: the result is 0 whatever a kernel computes. Never so if the padding is
/// smaller than the filter.
bool steps_over_image(const Shape& s);
std::vector<ProblemPtr> neighbours(const Conv2d& problem, uint64_t seed, int count);

}  // namespace harness::conv2d
