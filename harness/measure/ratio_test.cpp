#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "harness/measure/statistics.h"

namespace harness {
namespace {

TEST(PairedRatio, IsTheMedianOfTheRounds) {
  const std::vector<double> a = {1, 1, 1, 2, 1, 1, 1};
  const std::vector<double> b = {2, 3, 4, 2, 5, 6, 7};
  const Ratio r = paired_ratio(a, b);  // ratios 1 2 3 4 5 6 7, interval of seven: all of them
  EXPECT_EQ(r.value, 4);
  ASSERT_TRUE(r.interval);
  EXPECT_EQ(r.interval->low, 1);
  EXPECT_EQ(r.interval->high, 7);
  EXPECT_TRUE(r.equal());
  EXPECT_TRUE(r.paired);
  EXPECT_EQ(r.rounds, 7);
}

TEST(PairedRatio, AnEvenCountTakesTheGeometricMean) {
  EXPECT_DOUBLE_EQ(paired_ratio(std::vector<double>{1, 1}, std::vector<double>{2, 8}).value, 4);
}

TEST(PairedRatio, SeesThroughNoiseThatBothShare) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> mood(1, 5);
  std::vector<double> a, b;
  for (int i = 0; i < 12; ++i) {
    a.push_back(mood(random));
    b.push_back(a.back() * (1.02 + 1e-4 * i));
  }
  const Ratio r = paired_ratio(a, b);
  EXPECT_FALSE(r.equal());
  EXPECT_NEAR(r.value, 1.02, 1e-3);
  EXPECT_TRUE(unpaired_ratio(summarize(a), summarize(b)).equal());
}

TEST(PairedRatio, FiveRoundsHaveNoIntervalAndNoVerdict) {
  const std::vector<double> a(5, 1.0), b(5, 2.0);
  const Ratio r = paired_ratio(a, b);
  EXPECT_EQ(r.value, 2);
  EXPECT_FALSE(r.interval);
  EXPECT_FALSE(r.equal());
}

TEST(PairedRatio, OnlyTiesAreEqual) {
  const std::vector<double> a(8, 1.5);
  const Ratio r = paired_ratio(a, a);
  EXPECT_EQ(r.value, 1);
  EXPECT_TRUE(r.equal());
}

TEST(PairedRatio, SkipsRoundsThatAreNotTimes) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> a = {1, 0, nan, 1, -1, 1}, b = {2, 2, 2, 2, 2, 2, 9, 9};
  const Ratio r = paired_ratio(a, b);
  EXPECT_EQ(r.rounds, 3);
  EXPECT_EQ(r.value, 2);
  EXPECT_EQ(paired_ratio({}, {}).value, 0);
}

TEST(PairedRatio, ManyComparisonsWidenTheInterval) {
  std::vector<double> a(20, 1.0), b;
  for (int i = 1; i <= 20; ++i) b.push_back(i);
  const Ratio one = paired_ratio(a, b);  // rank 6 of 20
  EXPECT_EQ(one.interval->low, 6);
  EXPECT_EQ(one.interval->high, 15);
  const Ratio ten = paired_ratio(a, b, 10);  // P(Bin(20) <= 3) = 0.0013 <= 0.0025 < P(Bin(20) <= 4) = 0.0059
  EXPECT_EQ(ten.interval->low, 4);
  EXPECT_EQ(ten.interval->high, 17);
  EXPECT_FALSE(paired_ratio(std::vector<double>(6, 1.0), std::vector<double>(6, 2.0), 10).interval);
}

TEST(PairedRatio, SwappingTheCasesInvertsIt) {
  std::mt19937_64 random(2);
  std::lognormal_distribution<double> time(0, 0.3);
  std::vector<double> a, b;
  for (int i = 0; i < 31; ++i) {
    a.push_back(time(random));
    b.push_back(time(random));
  }
  const Ratio ab = paired_ratio(a, b), ba = paired_ratio(b, a);
  EXPECT_NEAR(ab.value * ba.value, 1, 1e-12);
  EXPECT_NEAR(ab.interval->low * ba.interval->high, 1, 1e-12);
}

/// How often two cases with the same times are told apart, of 4000.
int false_verdicts(const std::function<Ratio(std::span<const double>, std::span<const double>)>& compare) {
  std::mt19937_64 random(20261121);
  std::exponential_distribution<double> exponential(1);
  int apart = 0;
  std::vector<double> a(15), b(15);
  for (int trial = 0; trial < 4000; ++trial) {
    for (double& v : a) v = exponential(random);
    for (double& v : b) v = exponential(random);
    apart += !compare(a, b).equal();
  }
  return apart;
}

TEST(PairedRatio, SeldomTellsEqualCasesApart) {
  const int apart = false_verdicts([](auto a, auto b) { return paired_ratio(a, b); });
  EXPECT_LE(apart, 4000 * 0.06);
  EXPECT_GE(apart, 4000 * 0.01);  // it can
}

Summary with_interval(double low, double median, double high) {
  Summary s;
  s.n = 10;
  s.median = median;
  s.interval = {low, high};
  return s;
}

TEST(UnpairedRatio, DividesTheIntervals) {
  const Ratio r = unpaired_ratio(with_interval(1, 2, 4), with_interval(8, 10, 16));
  EXPECT_EQ(r.value, 5);
  EXPECT_EQ(r.interval->low, 2);
  EXPECT_EQ(r.interval->high, 16);
  EXPECT_FALSE(r.equal());
  EXPECT_FALSE(r.paired);
}

TEST(UnpairedRatio, OverlapIsEqual) {
  EXPECT_TRUE(unpaired_ratio(with_interval(1, 2, 3), with_interval(2.5, 3, 4)).equal());
}

TEST(UnpairedRatio, NeedsTimesAndIntervals) {
  EXPECT_EQ(unpaired_ratio(Summary{}, with_interval(1, 2, 3)).value, 0);
  Summary few;
  few.n = 2;
  few.median = 4;
  const Ratio r = unpaired_ratio(few, with_interval(1, 2, 3));
  EXPECT_EQ(r.value, 0.5);
  EXPECT_FALSE(r.interval);
  EXPECT_FALSE(r.equal());
}

TEST(UnpairedRatio, SeldomTellsEqualCasesApart) {
  EXPECT_LE(false_verdicts([](auto a, auto b) { return unpaired_ratio(summarize(a), summarize(b)); }),
            4000 * 0.05);
}

}  // namespace
}  // namespace harness
