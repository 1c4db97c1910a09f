// New data for each call on a device, as the harness computes them again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "harness/kernel/kernel.h"
#include "device/refresh_host.h"

namespace harness {
namespace {

template <class T>
class Refresh : public testing::Test {};
using Types = testing::Types<float, double, bf16>;
TYPED_TEST_SUITE(Refresh, Types);

TYPED_TEST(Refresh, OneElementIsAsTheWholeBuffer) {
  constexpr int64_t count = 1003;  // no multiple of any vector
  std::vector<TypeParam> all(count, 0), single(count, 0);
  lab::refresh(all.data(), 0, count, sizeof(TypeParam), 7);
  for (int64_t i = 0; i < count; ++i) lab::refresh_element(single[static_cast<size_t>(i)], 7, i);
  EXPECT_EQ(all, single);
}

TYPED_TEST(Refresh, ValuesFillTheIntervalAndHaveNoMean) {
  constexpr int64_t count = 100'000;
  std::vector<TypeParam> x(count, 0);
  lab::refresh(x.data(), 0, count, sizeof(TypeParam), lab::refresh_key(1, 3));
  double sum = 0, squares = 0, neighbours = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_GE(x[i], -1);
    EXPECT_LT(x[i], 1);
    sum += x[i];
    squares += double(x[i]) * x[i];
    neighbours += i > 0 ? double(x[i]) * x[i - 1] : 0;
  }
  // Six standard deviations of uniform ones.
  EXPECT_NEAR(sum / count, 0, 6 * 0.577 / std::sqrt(count));
  EXPECT_NEAR(squares / count, 1.0 / 3, 6 * 0.298 / std::sqrt(count));
  EXPECT_NEAR(neighbours / count, 0, 6 * 0.333 / std::sqrt(count));
  // bf16 has only about 2,000 different numbers that are drawn.
  EXPECT_GT(std::set<TypeParam>(x.begin(), x.end()).size(), sizeof(TypeParam) == 2 ? 1500 : count * 0.99);
}

TYPED_TEST(Refresh, EveryBufferAndSaltIsAnother) {
  std::set<uint64_t> keys;
  for (uint64_t salt = 0; salt < 100; ++salt)
    for (int buffer = 0; buffer < 16; ++buffer) keys.insert(lab::refresh_key(salt, buffer));
  EXPECT_EQ(keys.size(), 100u * 16);
  TypeParam near = 0, far = 0;
  lab::refresh_element(near, 5, 1);
  lab::refresh_element(far, 5, (int64_t{1} << 32) + 1);
  EXPECT_NE(near, far);
}

TYPED_TEST(Refresh, AFewElementsInAllPartsAreTouched) {
  for (const int64_t count : {1, 2, 255, 256, 257, 100'003}) {
    std::vector<TypeParam> x(static_cast<size_t>(count), 2);  // no fresh value is 2
    lab::touch(x.data(), count, sizeof(TypeParam), lab::refresh_key(1, 3));
    const auto untouched = std::count(x.begin(), x.end(), TypeParam{2});
    EXPECT_EQ(count - untouched, std::min<int64_t>(count, 256));
    // No part of the buffer is left out.
    const int64_t longest_gap = 2 * (count / 256 + 1);
    for (int64_t i = 0; i + longest_gap <= count; ++i)
      EXPECT_LT(std::count(x.begin() + i, x.begin() + i + longest_gap, TypeParam{2}), longest_gap) << i;
  }
  std::vector<TypeParam> x(1000, 2), y = x;
  lab::touch(x.data(), 1000, sizeof(TypeParam), 1);
  lab::touch(y.data(), 1000, sizeof(TypeParam), 2);
  EXPECT_NE(x, y);
}

TYPED_TEST(Refresh, WhatIsNoNumberStaysAsItIs) {
  TypeParam nan, poisoned;
  const uint64_t bits = padding_bits(sizeof nan == 2 ? Dtype::bf16 : sizeof nan == 4 ? Dtype::f32 : Dtype::f64);
  std::memcpy(&nan, &bits, sizeof nan);
  std::memset(&poisoned, 0xff, sizeof poisoned);
  const TypeParam infinite = std::numeric_limits<TypeParam>::infinity();
  std::vector<TypeParam> x = {1, nan, poisoned, infinite, -1, 2, 3, 4, nan, 0}, y = x;
  lab::refresh(x.data(), 0, 10, sizeof(TypeParam), 1);
  lab::poison(y.data(), 10, sizeof(TypeParam));
  const auto same = [](TypeParam a, TypeParam b) { return std::memcmp(&a, &b, sizeof a) == 0; };
  EXPECT_TRUE(same(x[1], nan) && same(x[8], nan) && same(y[1], nan));
  EXPECT_TRUE(same(x[2], poisoned));
  EXPECT_LT(std::abs(x[3]), 1);
  for (const int i : {0, 3, 4, 9}) EXPECT_TRUE(same(y[static_cast<size_t>(i)], poisoned)) << i;
}

// So that no variant can find another output with the fingerprint that it has already told.
TYPED_TEST(Refresh, AFingerprintIsOfAllBitsAndTheirOrder) {
  constexpr int64_t count = 200'003;  // each value of the first level has several elements
  std::vector<TypeParam> x(count, 0);
  lab::refresh(x.data(), 0, count, sizeof(TypeParam), 7);
  const auto of_x = [&](int64_t n) { return lab::fingerprint(x.data(), n, sizeof(TypeParam)); };
  std::set<uint64_t> seen = {of_x(0), of_x(1), of_x(count - 1), of_x(count)};
  for (const size_t i : {0, 1, 65'536, 200'002}) {
    const TypeParam before = x[i];
    reinterpret_cast<unsigned char*>(&x[i])[0] ^= 1;
    seen.insert(of_x(count));
    x[i] = before;
  }
  for (const size_t other : {1, 256, 65'536}) {
    std::swap(x[0], x[other]);
    seen.insert(of_x(count));
    std::swap(x[0], x[other]);
  }
  EXPECT_EQ(seen.size(), 4u + 4 + 3);
  const std::vector<TypeParam> known = {0, 1, 2};
  EXPECT_EQ(lab::fingerprint(known.data(), 3, sizeof(TypeParam)), sizeof(TypeParam) == 2   ? 0x66b1ede7f729a642u
                                                                  : sizeof(TypeParam) == 4 ? 0xcb23051bce505508u
                                                                                           : 0x3c16579d72ed4162u);
}

}  // namespace
}  // namespace harness
