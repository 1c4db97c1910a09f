#include "harness/engine/decide.h"

#include <gtest/gtest.h>

#include "harness/engine/cases.h"

namespace harness {
namespace {

const Failure wrong{Status::WRONG, "3 of 9 cells are wrong"};
const Evidence::Beaten beaten{.limit = "fma_f32", .time_ms = 2, .least_ms = 10};
const Evidence::Spread wide{.samples = 10, .relative_half_width = 0.07};

struct Row {
  const char* situation;
  Evidence evidence;
  Verdict expected;
};

const Row rows[] = {
    {"everything was done and nothing is wrong", {.finished = true}, {Status::PASSED, ""}},
    {"there is no GPU",
     {.cannot_run = "no GPU was found on this machine"},
     {Status::SKIPPED, "no GPU was found on this machine"}},
    {"it does not compile", {.build_error = "a.cpp:1:2: error: x"}, {Status::COMPILE_ERROR, "a.cpp:1:2: error: x"}},
    {"it does not compile, and could not run here if it did",
     {.cannot_run = "built for sm_90; no NVIDIA GPU on this machine runs it", .build_error = "a.cu:1:2: error: x"},
     {Status::COMPILE_ERROR, "a.cu:1:2: error: x"}},
    {"the check finds a wrong output", {.failure = wrong}, {Status::WRONG, "3 of 9 cells are wrong"}},
    {"it crashes while it is timed",
     {.failure = Failure{Status::CRASHED, "signal 11"}},
     {Status::CRASHED, "signal 11"}},
    {"the variant supports none of the problems",
     {.failure = Failure{Status::SKIPPED, "on all 9 check shapes: no"}},
     {Status::SKIPPED, "on all 9 check shapes: no"}},
    {"the run ends before this case", {}, {Status::CANCELLED, "the run was interrupted before this case"}},
    {"the run ends while its worker computes",
     {.failure = Failure{Status::CANCELLED, "interrupted"}},
     {Status::CANCELLED, "the run was interrupted before this case"}},
    {"the machine fails while it is timed",
     {.failure = Failure{Status::CRASHED, "cannot make a socket", Failure::Whose::machine}},
     {Status::CANCELLED, "the run was interrupted before this case"}},
    {"it is wrong, and the run ends", {.failure = wrong, .finished = false}, {Status::WRONG, "3 of 9 cells are wrong"}},
    {"it is faster than the machine",
     {.finished = true, .beaten = beaten},
     {Status::SUSPECT, "2 ms is faster than this machine's measured limit fma_f32 allows (10 ms)"}},
    {"it is wrong and fast",
     {.failure = wrong, .finished = true, .beaten = beaten},
     {Status::WRONG, "3 of 9 cells are wrong"}},
    {"its times scatter",
     {.finished = true, .spread = wide},
     {Status::UNSTABLE, "the 95 % interval of the median is ±7.0 % after 10 samples; times are compared up to ±5 %"}},
    {"its times scatter, but there are few of them",
     {.finished = true, .spread = Evidence::Spread{9, 0.07}},
     {Status::PASSED, ""}},
    {"its times scatter by 5 %, which is allowed",
     {.finished = true, .spread = Evidence::Spread{10, 0.05}},
     {Status::PASSED, ""}},
    {"its times scatter by less than the config's precision",
     {.finished = true, .spread = Evidence::Spread{10, 0.07, 0.2}},
     {Status::PASSED, ""}},
    {"its times scatter by more than the config's precision",
     {.finished = true, .spread = Evidence::Spread{10, 0.25, 0.2}},
     {Status::UNSTABLE, "the 95 % interval of the median is ±25.0 % after 10 samples; times are compared up to ±20 %"}},
    {"its times scatter around one that is too fast",
     {.finished = true, .beaten = beaten, .spread = wide},
     {Status::SUSPECT, "2 ms is faster than this machine's measured limit fma_f32 allows (10 ms)"}},
    {"the GPU is hot",
     {.finished = true, .throttled = "too hot (hardware)"},
     {Status::THROTTLED, "the GPU lowered its clocks while this group was timed: too hot (hardware)"}},
    {"the GPU is hot and the times scatter",
     {.finished = true, .spread = wide, .throttled = "too hot (hardware)"},
     {Status::UNSTABLE, "the 95 % interval of the median is ±7.0 % after 10 samples; times are compared up to ±5 %"}},
};

TEST(Decide, FollowsTheTable) {
  for (const Row& row : rows) {
    const Verdict verdict = decide(row.evidence);
    EXPECT_EQ(to_string(verdict.status), to_string(row.expected.status)) << row.situation;
    EXPECT_EQ(verdict.reason, row.expected.reason) << row.situation;
  }
}

TEST(CaseState, ACheckAfterTimingThatIsInterruptedLeavesNoVerdict) {
  CaseState state;
  state.evidence.finished = true;
  state.record.samples_ms = {1, 2};
  state.fail({Status::CANCELLED, "interrupted"});
  state.conclude();
  EXPECT_EQ(state.record.status, Status::CANCELLED);
  EXPECT_TRUE(state.record.samples_ms.empty());
}

}  // namespace
}  // namespace harness
