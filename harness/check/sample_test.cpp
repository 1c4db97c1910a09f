#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "harness/check/observation.h"

namespace harness {
namespace {

bool has(const std::vector<int64_t>& v, int64_t x) { return std::binary_search(v.begin(), v.end(), x); }

TEST(Sample, ShortAxesAreTakenWhole) {
  EXPECT_EQ(sample_axis(1, 45, 3), std::vector<int64_t>{0});
  EXPECT_EQ(sample_axis(45, 45, 3).size(), 45u);
}

TEST(Sample, HoldsEndsAndWhereTheLastTilesBegin) {
  for (uint64_t secret = 0; secret < 50; ++secret)
    for (const int64_t size : {46, 1000, 1024, 4097}) {
      const auto sample = sample_axis(size, 45, secret);
      for (const int64_t i : {int64_t{0}, int64_t{1}, size - 2, size - 1})
        EXPECT_TRUE(has(sample, i)) << size;
      for (const int64_t tile : {8, 16, 32, 64, 128}) {
        const int64_t last = (size - 1) / tile * tile;
        EXPECT_TRUE(has(sample, last)) << size << " " << tile;
        EXPECT_TRUE(last == 0 || has(sample, last - 1)) << size << " " << tile;
      }
    }
}

TEST(Sample, IsAscendingWithinRangeAndAboutAsLargeAsAsked) {
  const auto sample = sample_axis(8192, 45, 9);
  EXPECT_GE(sample.size(), 45u);
  EXPECT_LE(sample.size(), 50u);
  EXPECT_TRUE(std::is_sorted(sample.begin(), sample.end()));
  EXPECT_EQ(std::set<int64_t>(sample.begin(), sample.end()).size(), sample.size());
  EXPECT_GE(sample.front(), 0);
  EXPECT_LT(sample.back(), 8192);
}

TEST(Sample, DependsOnTheSecretOnly) {
  EXPECT_EQ(sample_axis(8192, 45, 9), sample_axis(8192, 45, 9));
  EXPECT_NE(sample_axis(8192, 45, 9), sample_axis(8192, 45, 10));
}

}  // namespace
}  // namespace harness
