#include "harness/check/tolerance.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "harness/check/layer_sum_for_test.h"

namespace harness {
namespace {

const LayerSum problem_16(Dtype::f32, {.layers = 16});

TEST(Tolerance, ComponentwiseBoundIsSixRootsOfKRoundings) {
  const Tolerance tolerance(problem_16, Fill::reals, {});
  EXPECT_FALSE(tolerance.exact);
  EXPECT_EQ(tolerance.factor, 6 * 4 * 0x1p-24);
  EXPECT_EQ(tolerance.factor_gamma, 18 * 0x1p-24 / (1 - 18 * 0x1p-24));
  EXPECT_EQ(tolerance.bound(0, 2), 2 * tolerance.factor);
}

TEST(Tolerance, DeclaredPrecisionWidensTheBound) {
  const Tolerance tolerance(problem_16, Fill::reals, {.name = "tf32", .u = 0x1p-23, .u_in = 0x1p-11});
  EXPECT_EQ(tolerance.factor, 24 * 0x1p-23 + 2 * 0x1p-11);
}

TEST(Tolerance, TheTypeDecidesTheRoundoff) {
  const LayerSum f64(Dtype::f64, {.layers = 16});
  EXPECT_EQ(Tolerance(f64, Fill::reals, {}).factor, 24 * 0x1p-53);
}

TEST(Tolerance, NormwiseIsTenTimesWiderUniformAndNeverExact) {
  const Tolerance tolerance(problem_16, Fill::integers, {.name = "winograd", .normwise = true});
  EXPECT_TRUE(tolerance.uniform);
  EXPECT_FALSE(tolerance.exact);
  EXPECT_EQ(tolerance.factor, 24 * 10 * 0x1p-24);
}

TEST(Tolerance, IntegersAreExactInTheTypesOwnPrecisionOnly) {
  EXPECT_TRUE(Tolerance(problem_16, Fill::integers, {}).exact);
  EXPECT_FALSE(Tolerance(problem_16, Fill::integers, {.name = "half", .u = 0x1p-11}).exact);
  EXPECT_FALSE(Tolerance(problem_16, Fill::integers, {.name = "tf32", .u_in = 0x1p-11}).exact);
}

TEST(Tolerance, NanIsNeverNear) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Fill fill : {Fill::integers, Fill::reals}) {
    const Tolerance tolerance(problem_16, fill, {});
    EXPECT_FALSE(tolerance.near(nan, 1, 1));
    EXPECT_FALSE(tolerance.near(nan, nan, nan));
    EXPECT_FALSE(tolerance.near(std::numeric_limits<double>::infinity(), 1, 1e300));
    EXPECT_EQ(tolerance.ratio(nan, 1, 1), std::numeric_limits<double>::max());
  }
}

TEST(Tolerance, ExactMeansEqualAndZeroHasNoSign) {
  const Tolerance tolerance(problem_16, Fill::integers, {});
  EXPECT_TRUE(tolerance.near(-0.0, 0.0, 1));
  EXPECT_TRUE(tolerance.near(3, 3, 1));
  EXPECT_FALSE(tolerance.near(std::nextafter(3.0, 4.0), 3, 1));
  EXPECT_EQ(tolerance.ratio(3, 3, 1), 0);
  EXPECT_EQ(tolerance.ratio(4, 3, 1), 0x1p24);
}

TEST(Tolerance, NoGammaWhereTheWorstCaseHasNone) {
  const LayerSum huge(Dtype::f32, {.layers = int64_t{1} << 24});
  EXPECT_EQ(Tolerance(huge, Fill::reals, {}).factor_gamma, 0);
}

TEST(Load, GivesWhatWasStored) {
  std::byte buffer[32];
  for (const Dtype t : all_dtypes) {
    store(t, buffer, 1, -1.5);
    store(t, buffer, 2, 1.0 / 3);
    EXPECT_EQ(load(t, buffer, 1), -1.5);
    EXPECT_NEAR(load(t, buffer, 2), 1.0 / 3, 1.0 / 3 * std::max(unit_roundoff(t), stored_roundoff(t)));
  }
  store(Dtype::bf16, buffer, 0, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(is_finite(Dtype::bf16, buffer, 0));
  EXPECT_TRUE(is_finite(Dtype::bf16, buffer, 2));
}

TEST(Load, FiniteIsDecidedByBits) {
  const float f[] = {0.f, std::bit_cast<float>(0x7f7fffffu), std::bit_cast<float>(0x7f800000u),
                     std::bit_cast<float>(0xffc00001u), std::bit_cast<float>(1u)};
  const auto* fb = reinterpret_cast<const std::byte*>(f);
  const bool finite[] = {true, true, false, false, true};
  for (int64_t i = 0; i < 5; ++i) EXPECT_EQ(is_finite(Dtype::f32, fb, i), finite[i]) << i;
  const double d[] = {1.5, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()};
  const auto* db = reinterpret_cast<const std::byte*>(d);
  EXPECT_TRUE(is_finite(Dtype::f64, db, 0));
  EXPECT_FALSE(is_finite(Dtype::f64, db, 1));
  EXPECT_FALSE(is_finite(Dtype::f64, db, 2));
  EXPECT_EQ(load(Dtype::f64, db, 0), 1.5);
  EXPECT_EQ(load_bits(Dtype::f32, fb, 3), 0xffc00001u);
}

}  // namespace
}  // namespace harness
