#include <gtest/gtest.h>

#include "harness/check/layer_sum_for_test.h"

namespace harness {
namespace {

/// A kernel whose kernels a test chooses.
class LayerSumKernel final : public Kernel {
 public:
  std::vector<WrongKernel> wrong;
  std::vector<RightKernel> right;
  LayerSum::Project project = LayerSum::Project::all;

  std::string name() const override { return "layers"; }
  std::string formula() const override { return "Y = sum of layers"; }
  std::vector<Parameter> parameters() const override { return {}; }
  Result<ProblemPtr> problem(Dtype dtype, const Axes&) const override { return made(dtype, 3); }
  std::vector<ProblemPtr> check_problems(Dtype dtype, const Axes&, const Axes&) const override {
    return {made(dtype, 1), made(dtype, 3)};
  }
  std::vector<WrongKernel> wrong_kernels(Dtype) const override { return wrong; }
  std::vector<RightKernel> right_kernels(Dtype) const override { return right; }

 private:
  ProblemPtr made(Dtype dtype, int64_t layers) const {
    return std::make_shared<LayerSum>(
        dtype, LayerSum::Shape{.layers = layers, .rows = 5, .cols = 6, .ld = 7, .project = project});
  }
};

/// Adds `layers` of them (at most all), plus `extra`.
auto summing(int64_t layers, double extra) {
  return [=](const Problem& problem, const HostBuffers& buffers) {
    const auto& p = static_cast<const LayerSum&>(problem);
    const BufferSpec& out = p.output();
    for (int64_t i = 0; i < out.rows; ++i)
      for (int64_t j = 0; j < out.cols; ++j) {
        double sum = extra;
        for (int64_t l = 0; l < std::min(layers, p.reduction_length()); ++l)
          sum += p.get(buffers[0], l * out.rows * out.ld + i * out.ld + j);
        p.put(buffers[1], i * out.ld + j, sum);
      }
  };
}

TEST(SelfTest, CountsWhatBothWaysReject) {
  LayerSumKernel kernel;
  kernel.wrong = {{"one_layer", "only the first layer is added", summing(1, 0)},
                  {"slightly_off", "each cell is 0.001 too large", summing(9, 0.001)},
                  {"right_after_all", "nothing is wrong", summing(9, 0)}};
  for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
    const SelfTest result = self_test(kernel, dtype, 1);
    ASSERT_EQ(result.rows.size(), 4u);
    EXPECT_EQ(result.rejected(), 3);
    EXPECT_EQ(result.rows[0].name, "one_layer");
    EXPECT_EQ(result.rows[0].mistake, "only the first layer is added");
    EXPECT_TRUE(result.rows[0].rejected);
    EXPECT_EQ(result.rows[0].by, "exact + projection");
    EXPECT_TRUE(result.rows[1].rejected);
    EXPECT_FALSE(result.rows[2].rejected);
    EXPECT_EQ(result.rows[2].by, "");
    EXPECT_EQ(result.rows[3].name, "one_wrong_cell");
    EXPECT_TRUE(result.rows[3].rejected);
    EXPECT_EQ(result.rows[3].by, "cells + projection");
    EXPECT_TRUE(result.accepts_reference) << result.refused;
  }
}

TEST(SelfTest, NoticesAProjectionThatComparesNothing) {
  LayerSumKernel kernel;
  kernel.project = LayerSum::Project::nothing;
  kernel.wrong = {{"one_layer", "only the first layer is added", summing(1, 0)}};
  const SelfTest result = self_test(kernel, Dtype::f32, 1);
  EXPECT_TRUE(result.rows[0].rejected) << "the sampled cells reject it";
  EXPECT_FALSE(result.rows[1].rejected);
  EXPECT_EQ(result.rows[1].by, "cells");
}

TEST(SelfTest, NoticesAProjectionWithoutColumns) {
  LayerSumKernel kernel;
  kernel.project = LayerSum::Project::rows;
  EXPECT_FALSE(self_test(kernel, Dtype::f64, 1).rows[0].rejected);
}

TEST(SelfTest, SaysWhichHonestKernelWasRefused) {
  LayerSumKernel kernel;
  kernel.right = {{"honest", summing(9, 0)}, {"not_quite", summing(1, 0)}};
  const SelfTest result = self_test(kernel, Dtype::f32, 1);
  EXPECT_FALSE(result.accepts_reference);
  EXPECT_EQ(result.refused.substr(0, 49), "not_quite, layers, exact: 30 of 30 cells differ, ")
      << result.refused;
}

}  // namespace
}  // namespace harness
