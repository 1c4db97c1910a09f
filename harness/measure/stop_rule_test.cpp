#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "harness/measure/statistics.h"

namespace harness {
namespace {

constexpr StopRule::Policy usual{.precision = 0.005, .min_samples = 10, .max_samples = 2000, .max_time_s = 15};

StopRule with_samples(int fewest, int most) { return StopRule({usual.precision, fewest, most, usual.max_time_s}); }

struct Stopped {
  StopReason reason = StopReason::none;
  int n = 0;
  double elapsed_s = 0;
  std::vector<double> samples;
};

/// Feeds samples that cost `seconds_each` until the rule has a reason.
Stopped run(StopRule rule, double seconds_each, const std::function<double(int)>& draw) {
  Stopped s;
  while (s.reason == StopReason::none && s.n < 1000000) {
    s.samples.push_back(draw(s.n++));
    s.elapsed_s += seconds_each;
    s.reason = rule.add(s.samples.back(), s.elapsed_s);
  }
  return s;
}

TEST(StopRule, ConstantSamplesStopAtTheMinimum) {
  const Stopped s = run(StopRule(usual), 0.001, [](int) { return 2.0; });
  EXPECT_EQ(s.reason, StopReason::precision);
  EXPECT_EQ(s.n, 10);
}

TEST(StopRule, PrecisionNeedsAnInterval) {
  const Stopped s = run(with_samples(3, 2000), 0.001, [](int) { return 2.0; });
  EXPECT_EQ(s.reason, StopReason::precision);
  EXPECT_EQ(s.n, 6);
}

TEST(StopRule, ReachesThePrecisionItReports) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(1, 0.02);
  const Stopped s = run(StopRule(usual), 0.001, [&](int) { return noise(random); });
  EXPECT_EQ(s.reason, StopReason::precision);
  EXPECT_GT(s.n, 30);
  EXPECT_LE(*relative_half_width(summarize(s.samples)), usual.precision);
}

TEST(StopRule, StoppingEarlyKeepsTheCoverage) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> noise(1, 0.02);
  int covered = 0;
  const int trials = 1000;
  for (int trial = 0; trial < trials; ++trial) {
    const Summary s = summarize(run(StopRule(usual), 0.001, [&](int) { return noise(random); }).samples);
    covered += s.interval->low <= 1 && 1 <= s.interval->high;
  }
  EXPECT_GE(covered, trials * 0.92);  // nominal 95 % for a fixed n
}

TEST(StopRule, TwoModesAreAPlateau) {
  std::mt19937_64 random(3);
  const auto modes = [&](int) { return random() % 2 ? 1.0 : 1.3 + 1e-3 * (random() % 100) / 100; };
  const Stopped fast = run(StopRule(usual), 0.01, modes);
  EXPECT_EQ(fast.reason, StopReason::plateau);
  EXPECT_GE(fast.n, 64);
  EXPECT_LT(fast.n, 200);
  EXPECT_LT(fast.elapsed_s, 2);
}

TEST(StopRule, AFastCaseWaitsHalfASecondForItsPlateau) {
  const Stopped s = run(StopRule(usual), 0.001, [](int i) { return 1 + 0.005 * i; });
  EXPECT_EQ(s.reason, StopReason::plateau);
  EXPECT_GE(s.elapsed_s, 0.5);
  EXPECT_LT(s.elapsed_s, 0.6);
}

TEST(StopRule, ADriftIsAPlateau) {
  const Stopped s = run(StopRule(usual), 0.05, [](int i) { return 1 + 0.005 * i; });
  EXPECT_EQ(s.reason, StopReason::plateau);
  EXPECT_LT(s.n, 100);
}

TEST(StopRule, ASlowCaseMayGiveUpAfterHalfItsTime) {
  const Stopped s = run(StopRule(usual), 0.3, [](int i) { return 1 + 0.01 * i; });
  EXPECT_EQ(s.reason, StopReason::plateau);
  EXPECT_GE(s.n, 24);
  EXPECT_GE(s.elapsed_s, 7.5);
  EXPECT_LT(s.elapsed_s, 15);
}

TEST(StopRule, IndependentNoiseIsSeldomTakenForAPlateau) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> noise(1, 0.03);
  int plateaus = 0;
  for (int trial = 0; trial < 200; ++trial)
    plateaus += run(StopRule(usual), 0.005, [&](int) { return noise(random); }).reason == StopReason::plateau;
  EXPECT_LE(plateaus, 50);
}

TEST(StopRule, TheTimeCapEndsASlowCaseWithFewSamples) {
  const Stopped s = run(StopRule(usual), 20, [](int) { return 1.0; });
  EXPECT_EQ(s.reason, StopReason::time_cap);
  EXPECT_EQ(s.n, 1);
}

TEST(StopRule, TheTimeCapLooksAhead) {
  // After 10 s the next sample would end at 20, as far past 15 as 10 is before it: not worth it.
  EXPECT_EQ(run(StopRule(usual), 10, [](int) { return 1.0; }).n, 1);
  EXPECT_EQ(run(StopRule(usual), 9, [](int) { return 1.0; }).n, 2);
  EXPECT_EQ(run(StopRule(usual), 4, [](int) { return 1.0; }).n, 4);
}

TEST(StopRule, TheSampleCapEndsScatter) {
  std::mt19937_64 random(9);
  std::exponential_distribution<double> noise(1);
  const Stopped s = run(with_samples(10, 50), 0.001, [&](int) { return noise(random); });
  EXPECT_EQ(s.reason, StopReason::sample_cap);
  EXPECT_EQ(s.n, 50);
}

TEST(StopRule, SamplesThatAreNotFiniteDecideNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Stopped mixed = run(StopRule(usual), 0.001, [&](int i) { return i % 2 ? 2.0 : nan; });
  EXPECT_EQ(mixed.reason, StopReason::precision);
  EXPECT_EQ(mixed.n, 20);
  const Stopped all = run(with_samples(10, 100), 0.001, [&](int) { return nan; });
  EXPECT_EQ(all.reason, StopReason::sample_cap);
  EXPECT_EQ(all.n, 100);
}

TEST(StopRule, ReasonsHaveTheNamesOfTheStore) {
  EXPECT_EQ(to_string(StopReason::none), "none");
  EXPECT_EQ(to_string(StopReason::precision), "precision");
  EXPECT_EQ(to_string(StopReason::plateau), "plateau");
  EXPECT_EQ(to_string(StopReason::time_cap), "time_cap");
  EXPECT_EQ(to_string(StopReason::sample_cap), "sample_cap");
  EXPECT_EQ(to_string(StopReason::budget), "budget");
  EXPECT_EQ(to_string(StopReason::slower), "slower");
}

}  // namespace
}  // namespace harness
