#include "reference/common/rounding.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "harness/base/random.h"
#include "lab/bf16.h"

namespace harness {
namespace {

TEST(RoundedTo, IsTheFloatOfTheProcessor) {
  for (uint64_t i = 0; i < 10000; ++i) {
    const double x = static_cast<double>(static_cast<int64_t>(random_bits(1, i))) * 0x1p-63;
    volatile const float f = static_cast<float>(x);  // volatile: see problem.cpp
    ASSERT_EQ(rounded_to(x, float_bits), static_cast<double>(f)) << x;
  }
}

TEST(RoundedTo, TiesGoToEven) {
  EXPECT_EQ(rounded_to(2049, half_bits), 2048);
  EXPECT_EQ(rounded_to(2051, half_bits), 2052);
  EXPECT_EQ(rounded_to(-2051, half_bits), -2052);
  EXPECT_EQ(rounded_to(2049.001, half_bits), 2050);
  EXPECT_EQ(rounded_to(257, bfloat16_bits), 256);
  EXPECT_EQ(rounded_to(1 - 0x1p-20, tf32_bits), 1);
  EXPECT_EQ(rounded_to(0, tf32_bits), 0);
}

TEST(RoundedTo, TiesGoAwayFromZeroAsOnTensorCores) {
  EXPECT_EQ(rounded_to(2049, tf32_bits, Rounding::nearest_away), 2050);
  EXPECT_EQ(rounded_to(-2049, tf32_bits, Rounding::nearest_away), -2050);
  EXPECT_EQ(rounded_to(2048.999, tf32_bits, Rounding::nearest_away), 2048);
}

TEST(RoundedTo, CutsOff) {
  EXPECT_EQ(rounded_to(2049.999, tf32_bits, Rounding::toward_zero), 2048);
  EXPECT_EQ(rounded_to(-2049.999, tf32_bits, Rounding::toward_zero), -2048);
  EXPECT_EQ(rounded_to(2050, tf32_bits, Rounding::toward_zero), 2050);
}

TEST(Bf16, IsTheNearestNumberOf8Bits) {
  for (uint64_t i = 0; i < 10000; ++i) {
    const float x = static_cast<float>(static_cast<int64_t>(random_bits(2, i))) * 0x1p-63f;
    ASSERT_EQ(static_cast<double>(bf16(x)), rounded_to(static_cast<double>(x), bfloat16_bits)) << x;
  }
  EXPECT_EQ(static_cast<float>(bf16(257)), 256);
  EXPECT_EQ(static_cast<float>(bf16(259)), 260);
}

TEST(Bf16, KeepsWhatIsNoNumber) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(static_cast<float>(bf16(-infinity)), -infinity);
  EXPECT_EQ(static_cast<float>(bf16(std::numeric_limits<float>::max())), infinity);
  EXPECT_TRUE(std::isnan(static_cast<float>(bf16(std::numeric_limits<float>::quiet_NaN()))));
  const uint32_t last_bit = 0x7f800001;  // a NaN whose upper half is that of infinity
  EXPECT_TRUE(std::isnan(static_cast<float>(bf16(std::bit_cast<float>(last_bit)))));
}

}  // namespace
}  // namespace harness
