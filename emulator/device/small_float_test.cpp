// __half and __nv_bfloat16: every value survives, and between two of them the nearest is taken, ties to even.
#include <gtest/gtest.h>

#include <cmath>

#include "emulator/device/include/cuda_bf16.h"
#include "emulator/device/include/cuda_fp16.h"
#include "emulator/device/testing.h"

namespace lab::emulated {
namespace {

template <class S>
void expect_nearest() {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const S s = S::of_bits(static_cast<unsigned short>(bits));
    const float value = s;
    if (std::isnan(value)) {
      EXPECT_GT(bits & 0x7fff, S::infinity);
      EXPECT_TRUE(__hisnan(S(value)));
      continue;
    }
    ASSERT_EQ(S(value).bits, bits);
    if ((bits & 0x7fff) >= S::infinity - 1) continue;
    const S after = S::of_bits(static_cast<unsigned short>(bits + 1));
    const float middle = value / 2 + float(after) / 2;
    ASSERT_EQ(S(middle).bits, bits % 2 == 0 ? bits : bits + 1) << value;
    ASSERT_EQ(S(std::nextafter(middle, value)).bits, bits) << value;
    ASSERT_EQ(S(std::nextafter(middle, float(after))).bits, bits + 1) << value;
  }
}

TEST(SmallFloat, RoundsToNearest) {
  expect_nearest<__half>();
  expect_nearest<__nv_bfloat16>();
}

TEST(SmallFloat, HasTheBitsOfADevice) {
  EXPECT_EQ(__float2half(1.0f).bits, 0x3c00);
  EXPECT_EQ(__float2half(-2.0f).bits, 0xc000);
  EXPECT_EQ(__float2half(65504.0f).bits, 0x7bff);
  EXPECT_EQ(__float2half(65520.0f).bits, 0x7c00);
  EXPECT_EQ(__float2half(5.9604644775390625e-08f).bits, 0x0001);
  EXPECT_EQ(__float2bfloat16(1.0f).bits, 0x3f80);
  EXPECT_EQ(float(__half2float(__hfma(__half(3), __half(4), __half(5)))), 17.0f);
  const __half2 sum = __floats2half2_rn(1, 2) + __float2half2_rn(0.5f);
  EXPECT_EQ(__low2float(sum), 1.5f);
  EXPECT_EQ(__high2float(sum), 2.5f);
}

TEST(SmallFloat, AddsAtomically) {
  Buffer<__half> sums(std::vector<__half>(2, __half(0)));
  __half* p = sums;
  EXPECT_EQ(run(1, 64, [=] { atomicAdd(p + threadIdx.x % 2, __half(1)); }), cudaSuccess);
  EXPECT_EQ(float(sums.values()[0]), 32);
  EXPECT_EQ(float(sums.values()[1]), 32);
}

TEST(SmallFloat, AnAtomicUpdateIsOneOfTwoBytes) {
  EXPECT_EQ(run(1, 2,
                [] {
                  static const int tag = 0;
                  auto& pair = shared<__half[2]>(&tag);
                  if (threadIdx.x == 0) store(&pair[0].bits, static_cast<unsigned short>(0));
                  __syncthreads();
                  if (threadIdx.x == 0) store(&pair[1].bits, static_cast<unsigned short>(1));
                  if (threadIdx.x == 1) atomicAdd(&pair[0], __half(1));
                }),
            cudaSuccess);
  EXPECT_EQ(kinds(mistakes()), Kinds{});
}

}  // namespace
}  // namespace lab::emulated
