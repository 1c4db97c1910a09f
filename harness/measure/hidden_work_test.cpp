#include "harness/measure/hidden_work.h"

#include <gtest/gtest.h>

#include <random>

namespace harness {
namespace {

// Calls of which each takes `call_ms`, and of which the worker reports the share `said`.
struct Story {
  double call_ms = 1, said = 1;
  double late_ms = 0;   // added to each
  double waits_ms = 0;  // on a busy machine, up to this between request and reply
};

constexpr double overhead_ms = 0.2;

std::vector<DeviceCall> tell(const Story& s) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> some(0, 1);
  std::vector<DeviceCall> all;
  for (int i = 0; i < 31; ++i)
    all.push_back({s.call_ms * s.said, s.call_ms + overhead_ms + s.late_ms + s.waits_ms * some(random)});
  return all;
}

TEST(HiddenWork, ProcessorTimeBetweenCallsIsSeen) {
  EXPECT_LE(hidden_between_calls_ms(1, 0.03, 0.01), 0);    // falls asleep like the control
  EXPECT_LE(hidden_between_calls_ms(0.01, 0.04, 0.01), 0); // a short call: the ways into and out of the system
  EXPECT_LE(hidden_between_calls_ms(10, 0.5, 0.01), 0);    // 5 % of a long call
  EXPECT_GT(hidden_between_calls_ms(1, 0.5, 0.01), 0);     // a third of the work is done between calls
  EXPECT_GT(hidden_between_calls_ms(0.01, 0.1, 0.01), 0);
}

const std::vector<DeviceCall> idle = tell({.call_ms = 0});

TEST(HiddenWork, TrueReportsAreBelieved) {
  for (const double call_ms : {0.001, 0.6, 30.0}) EXPECT_FALSE(hidden_in_calls(tell({.call_ms = call_ms}), call_ms, idle));
}

TEST(HiddenWork, AShareThatIsMissingIsSeen) {
  for (const double said : {0.1, 0.5, 0.7}) {
    const auto late = hidden_in_calls(tell({.call_ms = 2, .said = said}), 2 * said, idle);
    ASSERT_TRUE(late) << said;
    EXPECT_NEAR(late->claimed_ms, 2 * said, 1e-9);
    EXPECT_NEAR(late->outside_ms, 2, 0.01);
  }
}

// The samples may be few beside the calls before them.
TEST(HiddenWork, LiesThatMakeTheMedianAreSeen) {
  std::vector<DeviceCall> calls = tell({.call_ms = 4});
  EXPECT_FALSE(hidden_in_calls(calls, 4, idle));
  for (int i = 0; i < 3; ++i) calls[10 * i].claimed_ms /= 8;
  EXPECT_FALSE(hidden_in_calls(calls, 4, idle));
  EXPECT_TRUE(hidden_in_calls(calls, 0.5, idle));
}

TEST(HiddenWork, ClaimsThatBecomeLongerRefuteNothing) {
  std::vector<DeviceCall> calls = tell({.call_ms = 2});
  EXPECT_TRUE(claims_again(calls, 2));
  EXPECT_FALSE(claims_again(calls, 1));
  for (size_t i = 0; i < calls.size(); i += 4) calls[i].claimed_ms = 1;
  EXPECT_TRUE(claims_again(calls, 1));
}

TEST(HiddenWork, WorkBeforeTheReplyIsSeen) { EXPECT_TRUE(hidden_in_calls(tell({.late_ms = 0.5}), 1, idle)); }

TEST(HiddenWork, ABusyMachineDelaysBoth) {
  EXPECT_FALSE(hidden_in_calls(tell({.waits_ms = 10}), 1, tell({.call_ms = 0, .waits_ms = 10})));
}

// Measured beside 16 busy processes: three in four calls waited as long as a second call takes.
TEST(HiddenWork, CallsThatWaitAccuseNobodyIfOthersDoNot) {
  std::vector<DeviceCall> calls = tell({.call_ms = 0.5});
  for (size_t i = 0; i < calls.size(); ++i)
    if (i % 5 != 0) calls[i].outside_ms += 0.6;
  EXPECT_FALSE(hidden_in_calls(calls, 0.5, idle));
}

// Measured on an idle machine: one worker's requests took a quarter longer than the control's, all of them.
TEST(HiddenWork, AWorkerOnASlowerCoreIsBelieved) {
  EXPECT_FALSE(hidden_in_calls(tell({.call_ms = 0.01, .late_ms = overhead_ms / 3}), 0.01, idle));
}

TEST(HiddenWork, AClockAtHalfIsSeenInCallsAsLongAsTwoRequests) {
  EXPECT_TRUE(hidden_in_calls(tell({.call_ms = 2 * overhead_ms, .said = 0.5}), overhead_ms, idle));
}

}  // namespace
}  // namespace harness
