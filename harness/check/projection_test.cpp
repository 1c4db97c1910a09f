#include <gtest/gtest.h>

#include <cmath>

#include "harness/check/layer_sum_for_test.h"

namespace harness {
namespace {

LayerSumRun run_of(Fill fill, int64_t rows = 200, int64_t cols = 300) {
  return LayerSumRun(Dtype::f32, {.layers = 2, .rows = rows, .cols = cols, .ld = cols}, fill);
}

std::string want(LayerSumRun& run, int64_t i, int64_t j) {
  return std::to_string(static_cast<int>(run.want(i, j)));
}

TEST(Projection, AcceptsRightOutputs) {
  for (const Fill fill : {Fill::integers, Fill::reals}) {
    const CheckResult v = run_of(fill).projection();
    EXPECT_TRUE(v.right) << v.message;
    EXPECT_EQ(v.method, Method::projection);
    EXPECT_EQ(v.compared, 500);  // lines
    EXPECT_LE(v.worst_ratio, 1);
    EXPECT_FALSE(v.weak);
    EXPECT_EQ(v.message, "");
  }
}

TEST(Projection, FindsOneWrongCellAnywhere) {
  for (const Fill fill : {Fill::integers, Fill::reals})
    for (const auto& [i, j] : {std::pair<int64_t, int64_t>{0, 0}, {101, 173}, {199, 299}}) {
      LayerSumRun run = run_of(fill);
      run.set(i, j, run.want(i, j) + 1);
      const CheckResult v = run.projection();
      EXPECT_FALSE(v.right);
      EXPECT_EQ(v.wrong, 2);  // its row and its column
      ASSERT_TRUE(v.first);
      EXPECT_EQ(v.first->row, i);
      EXPECT_EQ(v.first->col, j);
      EXPECT_GT(v.worst_ratio, 1);
      EXPECT_LT(v.worst_ratio, 1e9);
    }
}

TEST(Projection, SaysWhichLinesAreOffAndWhere) {
  LayerSumRun run = run_of(Fill::integers);
  run.set(101, 173, 9999);
  EXPECT_EQ(run.projection().message,
            "weighted sums of 1 of 200 rows and 1 of 300 columns of Y are off, first wrong cell found "
            "Y[101][173]: got "
            "9999, want " +
                want(run, 101, 173));

  LayerSumRun tail = run_of(Fill::integers);
  tail.each([&](int64_t i, int64_t j) {
    if (i >= 192) tail.leave(i, j);
  });
  EXPECT_EQ(tail.projection().message,
            "weighted sums of 8 of 200 rows and 300 of 300 columns of Y are off, first wrong cell found "
            "Y[192][0]: got "
            "NaN, want " +
                want(tail, 192, 0) +
                "; every wrong cell lies in the last 8 of 200 rows; every wrong cell still holds the NaN "
                "from before: "
                "was it written, or is Y read, whose old values do not count here?");
}

TEST(Projection, SeesBothTailsFromTheSample) {
  LayerSumRun run = run_of(Fill::integers, 197, 301);
  run.each([&](int64_t i, int64_t j) {
    if (i >= 192 || j >= 288) run.leave(i, j);
  });
  EXPECT_NE(run.projection().message.find("lies in the last 5 of 197 rows or the last 13 of 301 columns; "),
            std::string::npos)
      << run.projection().message;
}

TEST(Projection, NanIsFoundByBitsWhateverTheKindSays) {
  LayerSumRun run = run_of(Fill::reals);
  run.set(150, 7, std::nan(""));
  const CheckResult v = run.projection();
  EXPECT_FALSE(v.right);
  EXPECT_EQ(v.wrong, 2);
}

TEST(Projection, TheVerdictDoesNotDependOnTheSecret) {
  for (uint64_t secret = 0; secret < 30; ++secret) {
    LayerSumRun run = run_of(Fill::integers);
    EXPECT_TRUE(run.projection({}, secret).right);
    run.set(77, 78, run.want(77, 78) + 1);
    EXPECT_FALSE(run.projection({}, secret).right);
  }
}

}  // namespace
}  // namespace harness
