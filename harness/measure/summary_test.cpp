#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "harness/measure/statistics.h"

namespace harness {
namespace {

std::vector<double> one_to(int n) {
  std::vector<double> x(n);
  std::iota(x.begin(), x.end(), 1.0);
  return x;
}

TEST(Summary, IsEmptyWithoutSamples) {
  const Summary s = summarize({});
  EXPECT_EQ(s.n, 0);
  EXPECT_EQ(s.median, 0);
  EXPECT_FALSE(s.interval);
  EXPECT_FALSE(relative_half_width(s));
}

TEST(Summary, OneSampleIsItsOwnMedian) {
  const Summary s = summarize(std::vector<double>{3.5});
  EXPECT_EQ(s.n, 1);
  EXPECT_EQ(s.median, 3.5);
  EXPECT_EQ(s.q1, 3.5);
  EXPECT_EQ(s.q3, 3.5);
  EXPECT_FALSE(s.interval);
}

TEST(Summary, QuartilesAreNearestRank) {
  // n = 10: ranks ceil(2.5) = 3 and ceil(7.5) = 8; n = 8: 2 and 6
  const Summary ten = summarize(one_to(10));
  EXPECT_EQ(ten.q1, 3);
  EXPECT_EQ(ten.median, 5.5);
  EXPECT_EQ(ten.q3, 8);
  const Summary eight = summarize(one_to(8));
  EXPECT_EQ(eight.q1, 2);
  EXPECT_EQ(eight.q3, 6);
}

TEST(Summary, OrderOfSamplesDoesNotMatter) {
  const Summary s = summarize(std::vector<double>{5, 1, 4, 2, 3, 9});
  EXPECT_EQ(s.min, 1);
  EXPECT_EQ(s.max, 9);
  EXPECT_EQ(s.median, 3.5);
}

TEST(Summary, IntervalStartsAtSixSamples) {
  EXPECT_FALSE(summarize(one_to(5)).interval);
  const Summary six = summarize(one_to(6));
  ASSERT_TRUE(six.interval);
  EXPECT_EQ(six.interval->low, 1);
  EXPECT_EQ(six.interval->high, 6);
}

TEST(Summary, IntervalOfTenIsSecondToNinth) {
  const Summary ten = summarize(one_to(10));
  ASSERT_TRUE(ten.interval);
  EXPECT_EQ(ten.interval->low, 2);
  EXPECT_EQ(ten.interval->high, 9);
  EXPECT_DOUBLE_EQ(*relative_half_width(ten), 3.5 / 5.5);
}

TEST(Summary, LeavesOutWhatIsNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const Summary s = summarize(std::vector<double>{nan, 2, inf, 1, 3, -inf});
  EXPECT_EQ(s.n, 3);
  EXPECT_EQ(s.median, 2);
  EXPECT_EQ(s.max, 3);
}

TEST(Summary, NoRelativeWidthAroundZero) {
  EXPECT_FALSE(relative_half_width(summarize(std::vector<double>(20, 0.0))));
  EXPECT_FALSE(relative_half_width(summarize(std::vector<double>(20, -1.0))));
}

TEST(MedianIntervalRank, MatchesTheBinomialTable) {
  // largest k with P(Bin(n, 1/2) <= k - 1) <= 0.025, from tables of the sign test
  const std::pair<int, int> table[] = {{0, 0},  {1, 0},  {5, 0},  {6, 1},  {8, 1},   {9, 2},   {11, 2},
                                       {12, 3}, {15, 4}, {20, 6}, {25, 8}, {30, 10}, {50, 18}, {100, 40}};
  for (const auto& [n, k] : table) EXPECT_EQ(median_interval_rank(n, 0.05), k) << "n = " << n;
}

TEST(MedianIntervalRank, AgreesWithTheExactSum) {
  for (const double alpha : {0.1, 0.05, 0.01, 0.05 / 28}) {
    for (int n = 1; n <= 60; ++n) {  // 2^60 and its binomials are exact in a double's sum below
      double choose = 1, tail = 0;
      int k = 0;
      for (int j = 0; j <= n; ++j) {
        tail += std::ldexp(choose, -n);
        if (tail > alpha / 2) break;
        k = j + 1;
        choose = choose * (n - j) / (j + 1);
      }
      EXPECT_EQ(median_interval_rank(n, alpha), k) << "n = " << n << ", alpha = " << alpha;
    }
  }
}

TEST(MedianIntervalRank, IsNormalForManySamples) {
  const double n = 1e6;
  EXPECT_NEAR(median_interval_rank(1000000, 0.05), n / 2 - 1.959964 * std::sqrt(n) / 2, 2);
}

TEST(MedianIntervalRank, ATightLevelNeedsMoreSamples) {
  EXPECT_EQ(median_interval_rank(6, 0.05 / 10), 0);
  EXPECT_EQ(median_interval_rank(9, 0.05 / 10), 1);  // 2 * 2^-9 <= 0.005
  EXPECT_EQ(median_interval_rank(100, 0), 0);
}

TEST(Summary, IntervalCoversTheMedianAsOftenAsItSays) {
  std::mt19937_64 random(20261121);
  std::exponential_distribution<double> exponential(1);
  for (const int n : {6, 10, 25, 101}) {
    int covered = 0;
    std::vector<double> x(n);
    for (int trial = 0; trial < 4000; ++trial) {
      for (double& v : x) v = exponential(random);
      const Summary s = summarize(x);
      covered += s.interval->low <= std::log(2.0) && std::log(2.0) <= s.interval->high;
    }
    EXPECT_GE(covered, 4000 * 0.94) << "n = " << n;
  }
}

}  // namespace
}  // namespace harness
