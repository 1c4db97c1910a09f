#include "harness/base/random.h"

#include <gtest/gtest.h>

#include <set>

namespace harness {
namespace {

uint64_t inverse(uint64_t odd) {
  uint64_t x = odd;
  for (int i = 0; i < 6; ++i) x *= 2 - odd * x;  // Newton: doubles the number of right bits
  return x;
}

uint64_t unmix(uint64_t z) {
  z = (z ^ (z >> 31) ^ (z >> 62)) * inverse(0x94d049bb133111eb);
  z = (z ^ (z >> 27) ^ (z >> 54)) * inverse(0xbf58476d1ce4e5b9);
  return z ^ (z >> 30) ^ (z >> 60);
}

TEST(Random, OneNumberDoesNotTellTheNext) {
  ASSERT_EQ(unmix(mix(12345)), 12345u);
  std::set<uint64_t> steps;  // with splitmix64 all are the same
  for (uint64_t seed = 0; seed < 1000; ++seed) steps.insert(unmix(random_bits(seed, 1)) - unmix(random_bits(seed, 0)));
  EXPECT_EQ(steps.size(), 1000u);
}

TEST(Random, NumbersAreSpreadEvenly) {
  constexpr int numbers = 64'000;
  for (int bit = 0; bit < 64; ++bit) {
    int set = 0;
    for (uint64_t i = 0; i < numbers; ++i) set += static_cast<int>(random_bits(7, i) >> bit & 1);
    EXPECT_NEAR(set, numbers / 2, 5 * 126) << bit;  // five standard deviations
  }
}

}  // namespace
}  // namespace harness
