#include "harness/measure/call_time.h"

#include <gtest/gtest.h>

#include <limits>

namespace harness {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> shuffled_to(int n) {
  std::vector<double> all;
  for (int i = 1; i <= n; ++i) all.push_back(i * 7 % (n + 1));  // n + 1 is no multiple of 7: each of 1 to n once
  return all;
}

TEST(CallTime, TheShortestIdleCallIsTheOverhead) {
  const IdleCall idle = idle_call(shuffled_to(31), std::vector<double>(31, 2.0), std::vector<double>(31, 0.25), 0.5);
  EXPECT_EQ(idle.call_ms, 1);
  EXPECT_EQ(idle.spread_ms, 21);  // the interval of the median of 31 is from rank 10 to rank 22
  EXPECT_EQ(idle.wake_ms, 2);
  EXPECT_EQ(idle.touch_ms, 0.25);
  EXPECT_EQ(idle.beside_ms, 0.5);
  EXPECT_EQ(idle_call(shuffled_to(31), {}, {}, -0.1).beside_ms, 0) << "the clocks of two processors may differ";
}

TEST(CallTime, FewIdleCallsHaveTheirWholeRangeAsSpread) { EXPECT_EQ(idle_call(shuffled_to(4), {}, {}, 0).spread_ms, 3); }

TEST(CallTime, TheOverheadIsSubtracted) {
  const std::optional<IdleCall> idle = IdleCall{.call_ms = 2};
  EXPECT_EQ(without_overhead_ms(10, idle), 8);
  EXPECT_EQ(without_overhead_ms(2, idle), 0.2) << "no call takes no time";
  EXPECT_EQ(without_overhead_ms(1, idle), 0.1);
  EXPECT_EQ(without_overhead_ms(10, std::nullopt), 10);
}

TEST(CallTime, AResultThatIsReadLateCounts) {
  const std::optional<IdleCall> idle = IdleCall{.wake_ms = 1};
  EXPECT_EQ(late_ms(0, 0, 0.05, idle), 0) << "reading takes some microseconds";
  EXPECT_DOUBLE_EQ(late_ms(0, 0, 0.55, idle), 0.5);
  EXPECT_DOUBLE_EQ(late_ms(0, 0, 0.55, std::nullopt), 0.5);
}

TEST(CallTime, LateWakingAndReadingCount) {
  const std::optional<IdleCall> idle = IdleCall{.wake_ms = 1, .touch_ms = 0.5};
  EXPECT_EQ(late_ms(2, 0, 0, idle), 0) << "twice as long as the idle control is usual";
  EXPECT_EQ(late_ms(5, 0, 0, idle), 3);
  EXPECT_EQ(late_ms(5, 0, 0, std::nullopt), 0) << "what is usual is not known";
  EXPECT_EQ(late_ms(0, 0.75, 0, idle), 0) << "and half as long again to read";
  EXPECT_EQ(late_ms(0, 2, 0, idle), 1.25);
  EXPECT_DOUBLE_EQ(late_ms(5, 2, 1.05, idle), 5.25) << "all count";
}

TEST(CallTime, TheIntervalIncludesTheSpreadOfTheOverhead) {
  const Summary plain = summarize(std::vector<double>{10, 10, 11, 11, 12, 12});
  ASSERT_TRUE(plain.interval);
  const Summary times = with_overhead(plain, 3);
  EXPECT_EQ(times.median, plain.median);
  EXPECT_EQ(times.interval->low, 7);
  EXPECT_EQ(times.interval->high, 12) << "the shortest overhead was subtracted: a call does not take longer";
  EXPECT_EQ(with_overhead(plain, 9.9).interval->low, 1) << "a tenth of the call is not overhead";
  EXPECT_EQ(with_overhead(plain, infinity).interval->low, 1);
  EXPECT_EQ(with_overhead(plain, -1).interval->low, 10) << "a record from elsewhere may say anything";
  EXPECT_FALSE(with_overhead(summarize(std::vector<double>{10, 10}), 3).interval);
}

TEST(CallTime, TheIntervalOfARatioIncludesBothSpreads) {
  const Ratio apart{.value = 2, .interval = Interval{1.8, 2.2}};
  const Ratio wider = with_overhead(apart, overhead_share(10, 1), overhead_share(20, 4));
  EXPECT_EQ(wider.value, 2);
  EXPECT_DOUBLE_EQ(wider.interval->low, 1.8 * 0.8);
  EXPECT_DOUBLE_EQ(wider.interval->high, 2.2 / 0.9);
  EXPECT_FALSE(wider.equal());
  EXPECT_TRUE(with_overhead(apart, 0, 0.5).equal()) << "half of the slower time may be overhead";
  EXPECT_EQ(overhead_share(10, 100), 0.9);
  EXPECT_EQ(overhead_share(0, 1), 0) << "a stored time of 0";
}

}  // namespace
}  // namespace harness
