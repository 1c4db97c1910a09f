#include "reference/common/rounding.h"

#include <gtest/gtest.h>

#include "harness/base/random.h"

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

}  // namespace
}  // namespace harness
