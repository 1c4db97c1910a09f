#include "harness/engine/idle_control.h"

#include <gtest/gtest.h>

#include "harness/check/layer_sum_for_test.h"

namespace harness {
namespace {

TimedCall call(double processor_ms, double awake_ms) {
  TimedCall made;
  made.processor_ms = processor_ms;
  made.awake_ms = awake_ms;
  return made;
}

TEST(TimeBeside, IsWhatNoTimeOfACallAccountsFor) {
  TimeBeside beside;
  EXPECT_EQ(beside.beside_calls().n, 0);
  beside.add(call(10, 3), 3, 0);
  EXPECT_EQ(beside.beside_calls().n, 0);  // the first call's processor time is not known yet
  beside.add(call(15, 3), 3, 0);
  EXPECT_DOUBLE_EQ(beside.beside_calls().median, 2);
}

// The harness lost its core while the worker was awake: that time is in the call's, and not beside it.
TEST(TimeBeside, LateTimeIsNotCountedTwice) {
  TimeBeside beside;
  beside.add(call(10, 3), 3, 4);
  beside.add(call(17, 3), 3, 4);
  EXPECT_DOUBLE_EQ(beside.beside_calls().median, 0);
}

// What a call computes before its release is beside this call, not beside the next one. So calls that sleep, whose time
// says more than their processor time, do not make up for others.
TEST(TimeBeside, ACallThatSleepsHidesNoWorkOfOthers) {
  TimeBeside beside;
  double processor_ms = 0;
  for (int i = 0; i < 40; ++i) {
    const double call_ms = i % 3 == 0 ? 6 : 1;
    beside.add(call(processor_ms, call_ms), call_ms, 0);
    processor_ms += 1 + 0.5;
  }
  EXPECT_DOUBLE_EQ(beside.beside_calls(1).q1, 0.5);
  EXPECT_EQ(beside.beside_calls(0.5).n, 0);
}

TEST(TimeBeside, RepeatsIfAQuarterOfTheCallsIsShort) {
  TimeBeside none, few, enough;
  EXPECT_FALSE(none.repeats(1));
  for (const auto& [beside, short_calls] : {std::pair(&few, 1), std::pair(&enough, 2)})
    for (int i = 0; i < 9; ++i) {  // the last call counts only when the next one comes
      const double call_ms = i < short_calls ? 1 : 3;
      beside->add(call(4.0 * i, call_ms), call_ms, 0);
    }
  EXPECT_FALSE(few.repeats(1));
  EXPECT_TRUE(enough.repeats(1));
  EXPECT_TRUE(few.repeats(3));
}

// The input and the output of `kib` each.
WriteData when(int64_t kib, MeasurePolicy::CpuCache cache, int64_t distance = 256) {
  PlacedLab lab;
  lab.config.measure.cpu_cache = cache;
  const auto problem = std::make_shared<LayerSum>(Dtype::f32, LayerSum::Shape{1, kib, 256, distance, Role::output});
  return when_to_write(lab, *Inputs::draw(problem, Fill::reals, 1, Edge::end));
}

TEST(WhenToWrite, DependsOnHowMuchItIs) {
  constexpr auto fresh = MeasurePolicy::CpuCache::fresh, cold = MeasurePolicy::CpuCache::cold;
  EXPECT_EQ(when(64, fresh), WriteData::worker_reads);
  EXPECT_EQ(when(65, fresh), WriteData::worker_waits);
  EXPECT_EQ(when(128, fresh), WriteData::worker_waits);
  EXPECT_EQ(when(129, fresh), WriteData::worker_sleeps) << "to copy the input would take longer than to wake up";
  EXPECT_EQ(when(257, fresh), WriteData::worker_sleeps);
  EXPECT_EQ(when(1, cold), WriteData::worker_waits) << "what it reads would be in its caches";
  EXPECT_EQ(when(32, cold), WriteData::worker_waits);
  EXPECT_EQ(when(33, cold), WriteData::worker_sleeps);
  EXPECT_EQ(when(128, fresh, 10'000), WriteData::worker_waits) << "padding does not count";
}

}  // namespace
}  // namespace harness
