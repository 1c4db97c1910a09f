#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "harness/check/layer_sum_for_test.h"

namespace harness {
namespace {

TEST(CheckOutput, RightIntegersAreEqual) {
  for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
    LayerSumRun run(dtype, {.layers = 3, .rows = 5, .cols = 6, .ld = 9}, Fill::integers);
    const CheckResult v = run.cells();
    EXPECT_TRUE(v.right) << v.message;
    EXPECT_EQ(v.method, Method::exact);
    EXPECT_EQ(v.worst_ratio, 0);
    EXPECT_EQ(v.compared, 30);
    EXPECT_EQ(v.wrong, 0);
    EXPECT_FALSE(v.weak);
    EXPECT_EQ(v.message, "");
    EXPECT_FALSE(v.first || v.worst);
  }
}

TEST(CheckOutput, AnErrorWithinTheBoundPasses) {
  LayerSumRun run(Dtype::f32, {.layers = 16, .rows = 5, .cols = 6, .ld = 6}, Fill::reals);
  double value, scale;
  const Cell cell{2, 3};
  run.problem.reference_at(run.inputs, std::span(&cell, 1), &value, &scale);
  const double bound = 24 * 0x1p-24 * scale;
  run.set(2, 3, value + 0.8 * bound);
  CheckResult v = run.cells();
  EXPECT_TRUE(v.right) << v.message;
  EXPECT_EQ(v.method, Method::componentwise);
  EXPECT_NEAR(v.worst_ratio, 0.8, 0.05);
  EXPECT_NEAR(v.worst_ratio_gamma, v.worst_ratio * 24 / 18, 1e-4);

  run.set(2, 3, value + 1.2 * bound);
  v = run.cells();
  EXPECT_FALSE(v.right);
  EXPECT_NEAR(v.worst_ratio, 1.2, 0.05);
  EXPECT_NEAR(v.bound, bound, 1e-12);
  EXPECT_EQ(v.wrong, 1);
}

TEST(CheckOutput, SaysFirstAndWorstCell) {
  LayerSumRun run(Dtype::f64, {.rows = 8, .cols = 8, .ld = 8}, Fill::integers);
  run.set(2, 3, run.want(2, 3) + 1);
  run.set(5, 1, run.want(5, 1) * 5 + 7000);
  run.set(6, 6, run.want(6, 6) - 2);
  const CheckResult v = run.cells();
  ASSERT_TRUE(v.first && v.worst);
  EXPECT_EQ(v.first->row, 2);
  EXPECT_EQ(v.first->col, 3);
  EXPECT_EQ(v.got, v.want + 1);
  EXPECT_EQ(v.bound, 0);
  EXPECT_EQ(v.worst->row, 5);
  EXPECT_EQ(v.wrong, 3);
  EXPECT_EQ(v.message.substr(0, 28), "3 of 64 cells differ, first ");
  EXPECT_NE(v.message.find("worst Y[5][1]"), std::string::npos) << v.message;
}

TEST(CheckOutput, NumbersKeepTheDigitsThatTellThemApart) {
  LayerSumRun run(Dtype::f32, {.rows = 1, .cols = 1, .ld = 1}, Fill::reals);
  run.problem.put(reinterpret_cast<std::byte*>(run.x.data()), 0, 0.5);
  run.set(0, 0, 0.5 + 0x1p-20);
  EXPECT_EQ(run.cells().message,
            "1 of 1 cells differs, first Y[0][0]: got 0.500000954, want 0.5 (bound 1.8e-07); all errors are "
            "small, but "
            "larger than rounding: is something computed in half precision or TF32, or by Strassen, Winograd or FFT without "
            "LAB_PRECISION(normwise)?");
}

TEST(CheckOutput, NanAndInfinityNeverPass) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()})
    for (const Dtype dtype : {Dtype::f32, Dtype::f64})
      for (const Fill fill : {Fill::integers, Fill::reals}) {
        LayerSumRun run(dtype, {.rows = 3, .cols = 3, .ld = 3}, fill);
        run.set(1, 1, bad);
        for (const CheckResult& v :
             {run.cells(), run.cells({.name = "any", .u = 1, .normwise = true}), run.projection()}) {
          EXPECT_FALSE(v.right);
          EXPECT_EQ(v.worst_ratio, std::numeric_limits<double>::max());
          EXPECT_TRUE(v.first && v.first->row == 1 && v.first->col == 1);
        }
      }
}

TEST(CheckOutput, ZerosHaveNoSign) {
  LayerSumRun run(Dtype::f32, {.rows = 2, .cols = 2, .ld = 2}, Fill::integers);
  run.problem.put(reinterpret_cast<std::byte*>(run.x.data()), 0, 0.0);
  run.set(0, 0, -0.0);
  EXPECT_TRUE(run.cells().right);
}

TEST(CheckOutput, DataThatZerosWouldPassIsWeak) {
  LayerSumRun run(Dtype::f32, {.rows = 4, .cols = 4, .ld = 4}, Fill::integers);
  run.each([&](int64_t i, int64_t j) {
    run.problem.put(reinterpret_cast<std::byte*>(run.x.data()), run.at(i, j), 0);
    run.set(i, j, 0);
  });
  const CheckResult v = check_output(run.problem, Fill::integers, run.inputs, run.output(), {}, 1);
  EXPECT_TRUE(v.right);
  EXPECT_TRUE(v.weak);
  EXPECT_EQ(v.message, "an output of zeros would pass as well: this data cannot tell right from wrong");
  EXPECT_TRUE(run.projection().weak);

  run.problem.put(reinterpret_cast<std::byte*>(run.x.data()), 3, 1);
  run.set(0, 3, 1);
  EXPECT_FALSE(run.cells().weak);
}

TEST(CheckOutput, NormwiseComparesWithTheLargestScale) {
  LayerSumRun run(Dtype::f32, {.layers = 4, .rows = 3, .cols = 3, .ld = 3}, Fill::reals);
  auto* x = reinterpret_cast<std::byte*>(run.x.data());
  for (int64_t l = 0; l < 4; ++l) run.problem.put(x, l * 9 + run.at(1, 1), 1e-6);
  run.set(1, 1, run.want(1, 1) + 1e-6);
  EXPECT_FALSE(run.cells().right);
  EXPECT_TRUE(run.cells({.name = "winograd", .normwise = true}).right);
  run.set(1, 1, run.want(1, 1) + 1e-2);
  EXPECT_FALSE(run.cells({.name = "winograd", .normwise = true}).right);
}

TEST(CheckOutput, LargeProblemsAreProjected) {
  const auto cell_by_cell = [](int64_t layers, int64_t rows, int64_t cols) {
    return checks_every_cell(
        LayerSum(Dtype::f32, {.layers = layers, .rows = rows, .cols = cols, .ld = cols}));
  };
  EXPECT_TRUE(cell_by_cell(512, 256, 256));
  EXPECT_FALSE(cell_by_cell(513, 256, 256));
  EXPECT_TRUE(cell_by_cell(1, 1024, 1024));
  EXPECT_FALSE(cell_by_cell(1, 1024, 1025));

  LayerSumRun run(Dtype::f32, {.rows = 1024, .cols = 1025, .ld = 1025}, Fill::integers);
  EXPECT_EQ(check_output(run.problem, run.fill, run.inputs, run.output(), {}, 1).method, Method::projection);
}

TEST(CheckOutput, MethodsHaveNames) {
  EXPECT_EQ(to_string(Method::exact), "exact");
  EXPECT_EQ(to_string(Method::componentwise), "componentwise");
  EXPECT_EQ(to_string(Method::projection), "projection");
}

TEST(Precision, NamesAndSuggestions) {
  EXPECT_EQ(find_precision("", Dtype::f32)->u_in, 0);
  EXPECT_GT(find_precision("tf32", Dtype::f32)->u_in, 0);
  EXPECT_EQ(find_precision("tf32", Dtype::f64).error().message, "LAB_PRECISION(tf32) is for f32 only");
  EXPECT_EQ(find_precision("tf23", Dtype::f32).error().message,
            "unknown precision \"tf23\" in LAB_PRECISION (did you mean \"tf32\"?); there are ieee, tf32, normwise");
}

}  // namespace
}  // namespace harness
