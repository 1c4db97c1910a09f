#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/common/rounding.h"
#include "reference/conv2d/run_for_test.h"

namespace harness::conv2d {
namespace {

double worst(const KernelRun& run, double u_in = 0) {
  double ratio = 0;
  for (const LineResidual& l : run.problem->project(run.inputs, run.buffers.back(), 5, run.fill,
                                                    unit_roundoff(run.problem->dtype()), u_in))
    ratio = std::max(ratio, l.residual / l.limit);
  return ratio;
}

Axes deep(int64_t size, int64_t channels, int64_t filters) {
  return {{"size", size}, {"channels", channels}, {"filters", filters}, {"padding", int64_t{1}}};
}

TEST(Conv2dProject, HonestOrdersStayWellBelowTheLimits) {
  for (const Dtype t : all_dtypes)
    for (const Axes& shape :
         {mixed, lab(100), lab(300, 3), deep(12, 64, 16), deep(5, 512, 3), deep(40, 8, 40)}) {
      ConvRun run(t, shape, Fill::reals, 3);
      for (const RightKernel& k : kernel().right_kernels(t))
        EXPECT_LT(worst(run.compute(k)), 0.7) << k.name << " " << run.problem->label();
    }
}

TEST(Conv2dProject, OfIntegersIsExact) {
  for (const Dtype t : all_dtypes)
    for (const Axes& shape : {mixed, lab(200), lab(200, 2), deep(12, 64, 16), deep(5, 512, 3)}) {
      ConvRun run(t, shape, Fill::integers);
      if (t == Dtype::bf16 && run.problem->reduction_length() > 256) continue;  // results of more than 8 bits
      run.compute(right(t));
      for (const LineResidual& l :
           run.problem->project(run.inputs, run.buffers.back(), 9, run.fill, unit_roundoff(t), 0)) {
        ASSERT_EQ(l.residual, 0) << run.problem->label();
        ASSERT_EQ(l.limit, 0);
      }
    }
}

TEST(Conv2dProject, FlagsExactlyTheLinesOfAWrongCell) {
  for (const Fill fill : both_fills) {
    ConvRun run(Dtype::f64, mixed, fill);
    run.compute(right(Dtype::f64));
    for (const Cell bad : {Cell{0, 0}, {29, 3}, {55, 6}}) {
      const double kept = run.of<double>(2).at(bad.row, bad.col);
      run.of<double>(2).at(bad.row, bad.col) += 1;
      for (const LineResidual& l :
           run.problem->project(run.inputs, run.buffers.back(), 9, fill, unit_roundoff(Dtype::f64), 0)) {
        const bool hit = l.index == (l.axis == LineResidual::Axis::row ? bad.row : bad.col);
        EXPECT_EQ(l.residual > l.limit, hit) << l.index;
      }
      run.of<double>(2).at(bad.row, bad.col) = kept;
    }
  }
}

TEST(Conv2dProject, AtTheLabsSizeSmallMistakesAreSeen) {
  for (const int64_t stride : {1, 2}) {
    ConvRun run(Dtype::f32, lab(512, stride), Fill::reals);
    const CheckResult honest = run.compute(right(Dtype::f32)).projection();
    EXPECT_TRUE(honest.right) << honest.message;
    for (const char* name : {"tf32_inputs", "filter_flipped", "rows_run_together", "edge_repeated",
                             "last_column_not_written", "one_cell_zeroed", "last_tap_dropped"})
      EXPECT_FALSE(run.compute(wrong(Dtype::f32, name)).projection().right) << name;
    EXPECT_TRUE(
        run.compute(wrong(Dtype::f32, "tf32_inputs")).projection({.name = "tf32", .u_in = 0x1p-11}).right)
        << "declared, it is right";
  }
}

TEST(Conv2dProject, DoesNotDependOnTheNumberOfTasks) {
  ConvRun run(Dtype::f32, deep(64, 8, 8), Fill::reals);
  run.compute(right(Dtype::f32));
  const auto lines = [&] {
    std::vector<double> all;
    for (const LineResidual& l :
         run.problem->project(run.inputs, run.buffers.back(), 9, run.fill, 0x1p-24, 0))
      all.push_back(l.residual);
    return all;
  };
  EXPECT_EQ(lines(), lines());
}

}  // namespace
}  // namespace harness::conv2d
