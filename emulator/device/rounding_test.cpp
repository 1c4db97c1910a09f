// Roundings up, down and to zero, and what a device returns for numbers without a whole number.
#include "emulator/device/rounding.h"

#include <gtest/gtest.h>

#include <random>

#include "emulator/device/math.h"

namespace {

constexpr float above_one = 0x1.000002p0f, tiny = 0x1p-40f;

TEST(Rounding, HasADirection) {
  EXPECT_EQ(__fadd_ru(1, tiny), above_one);
  EXPECT_EQ(__fadd_rd(1, tiny), 1);
  EXPECT_EQ(__fsub_rz(-1, tiny), -1);
  EXPECT_EQ(__fsub_rd(-1, tiny), -above_one);
  EXPECT_EQ(__fsub_ru(1, tiny), 1);
  EXPECT_EQ(__fmul_ru(above_one, above_one), 0x1.000006p0f);
  EXPECT_EQ(__fmul_rz(above_one, above_one), 0x1.000004p0f);
  EXPECT_EQ(__fdiv_rd(1, 3), 0x1.555554p-2f);
  EXPECT_EQ(__fdiv_ru(1, 3), 0x1.555556p-2f);
  EXPECT_EQ(__frcp_rz(-3), -0x1.555554p-2f);
  EXPECT_EQ(__fsqrt_rd(2), 0x1.6a09e6p0f);
  EXPECT_EQ(__fsqrt_ru(2), 0x1.6a09e8p0f);
  EXPECT_EQ(__fmaf_ru(1, 1, tiny), above_one);
  EXPECT_EQ(__fmaf_rz(-1, 1, -tiny), -1);
  EXPECT_EQ(__fmaf_rd(-1, 1, -tiny), -above_one);
  EXPECT_EQ(__dadd_ru(1, 0x1p-60), 0x1.0000000000001p0);
  EXPECT_EQ(__ddiv_rd(1, 3), 0x1.5555555555555p-2);
  EXPECT_EQ(__fma_rz(1, 1, -0x1p-60), 0x1.fffffffffffffp-1);
  EXPECT_EQ(__fmul_rz(3e38f, 10), std::numeric_limits<float>::max());
  EXPECT_TRUE(std::signbit(__fadd_rd(1, -1)));
  EXPECT_EQ(1.0f / 3.0f, 0x1.555556p-2f);  // what comes after rounds to the nearest again
}

TEST(Rounding, EnclosesTheProduct) {
  std::mt19937 bits(1);
  std::uniform_real_distribution<float> any(-8, 8);
  for (int i = 0; i < 10000; ++i) {
    const float x = any(bits), y = any(bits);
    const double product = double{x} * y;  // exact
    const float down = __fmul_rd(x, y), up = __fmul_ru(x, y);
    EXPECT_LE(down, product);
    EXPECT_GE(up, product);
    EXPECT_LE(up, std::nextafter(down, 100.0f));
    EXPECT_EQ(__double2float_rd(product), down);
    EXPECT_EQ(__double2float_ru(product), up);
    EXPECT_EQ(__double2float_rz(product), __fmul_rz(x, y));
  }
}

TEST(Rounding, OfWholeNumbers) {
  EXPECT_EQ(__int2float_rz(16777219), 16777218);
  EXPECT_EQ(__ll2float_ru((1ll << 40) + 1), 0x1.000002p40f);
  EXPECT_EQ(__ull2double_rd(~0ull), 0x1.fffffffffffffp63);
  EXPECT_EQ(__float2ll_rn(2.5f), 2);
  EXPECT_EQ(__float2ll_ru(-2.5f), -2);
  EXPECT_EQ(__double2ull_rd(2.5), 2u);
  EXPECT_EQ(__float2int_rn(3e9f), std::numeric_limits<int>::max());
  EXPECT_EQ(__float2uint_rz(-3), 0u);
  EXPECT_EQ(__float2int_rz(NAN), 0);
  EXPECT_EQ(__float2ll_rz(NAN), std::numeric_limits<long long>::min());
}

TEST(Rounding, ScaledFunctions) {
  const float p[] = {2, 3, 6};
  EXPECT_EQ(normf(3, p), 7);
  EXPECT_FLOAT_EQ(rnormf(3, p), 1.0f / 7);
  EXPECT_EQ(erfcxf(0), 1);
  EXPECT_FLOAT_EQ(erfcxf(1), 0.42758358f);
  EXPECT_FLOAT_EQ(erfcxf(19.999f), erfcxf(20.001f) * (20.001f / 19.999f));
  EXPECT_FLOAT_EQ(erfcxf(1e10f), 5.6418958e-11f);
}

}  // namespace
