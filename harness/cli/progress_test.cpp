#include "harness/cli/progress.h"

#include <gtest/gtest.h>

#include "harness/cli/console.h"
#include "harness/cli/json_lines.h"

namespace harness {
namespace {

TEST(CaseLine, NoLineOfAVariantIsACommandOfAWorkflow) {
  EXPECT_EQ(safe_to_print(below("it printed: a\n::set-output name=result::pass\n  ::error::no\n##[##[group]x", "    ")),
            "    it printed: a\n"
            "|     ::set-output name=result::pass\n"
            "|       ::error::no\n"
            "    ## [## [group]x");
  EXPECT_EQ(safe_to_print("::error::a\n\xe3\x80\x80::error::b\na::b\n"), "| ::error::a\n| \xe3\x80\x80::error::b\na::b\n");
  EXPECT_EQ(safe_to_print(""), "");
  EXPECT_EQ(below("", "  "), "  ");
}

TEST(CaseLine, HasReasonAndNotesBelow) {
  CaseRecord record;
  record.status = Status::CRASHED;
  record.id = "lab/x";
  record.reason = "it threw";
  record.notes = {{NoteCode::printed, {{"output", "1\n2"}}}};
  EXPECT_EQ(case_line(record),
            "CRASHED        lab/x\n"
            "               it threw\n"
            "               it printed: 1\n"
            "               2");
}

TEST(CaseLine, HasTheMistakesThatTheEmulatedDeviceSees) {
  CaseRecord record;
  record.status = Status::WRONG;
  record.id = "lab/x";
  record.device = Device::gpu;
  record.reason = "4096 of 4096 cells differ";
  record.diagnostics = {{.kind = "race_shared", .file = "x.cu", .line = 7, .what = "a race", .fix = "a barrier"}};
  EXPECT_EQ(case_line(record),
            "WRONG          lab/x\n"
            "               4096 of 4096 cells differ\n"
            "               on the emulated device: x.cu:7: a race\n"
            "                 usually: a barrier");
}

TEST(CaseLine, HasFigures) {
  CaseRecord record;
  record.status = Status::PASSED;
  record.id = "lab/x";
  record.metrics = {{MetricName::kernel_ms, {2, 1.9, 2.1, 8}},
                    {MetricName::gflops, {500, {}, {}, 8}},
                    {MetricName::speedup, {.median = 2.5, .n = 8, .equal = false}},
                    {MetricName::percent_of_limit, {60, {}, {}, 8}}};
  EXPECT_EQ(case_line(record), "PASSED         lab/x  2 ms ±5 %  500 GFLOP/s  2.5x  60 % of limit");
}

TEST(CaseLine, WideIntervalHasItsEnds) {
  CaseRecord record;
  record.status = Status::PASSED;
  record.id = "lab/x";
  record.metrics = {{MetricName::kernel_ms, {0.012, 0.011, 445, 8}}};
  EXPECT_EQ(case_line(record), "PASSED         lab/x  12 us (11 us to 445 ms)");
}

TEST(CaseLine, SaysWhoseFileItIsIfThereIsASubmission) {
  CaseRecord record;
  record.status = Status::PASSED;
  record.id = "lab/x";
  record.owner = "submission";
  record.metrics = {{MetricName::kernel_ms, {2, 1.9, 2.1, 8}}};
  EXPECT_EQ(case_line(record), "PASSED         lab/x (submission)  2 ms ±5 %");
}

TEST(EndLine, CountsHowCasesEnded) {
  EXPECT_EQ(end_line({.passed = 3, .failed = 1, .skipped = 2}, 75), "3 passed, 1 failed, 2 skipped in 1 min 15 s");
}

TEST(EndLine, CasesThatCannotBeRankedAreNotPassed) {
  EXPECT_EQ(end_line({.passed = 78, .unranked = {{"UNSTABLE", 3}, {"THROTTLED", 1}}}, 2.5),
            "78 passed, 1 THROTTLED, 3 UNSTABLE, 0 failed, 0 skipped in 2.5 s");
}

TEST(EndLine, InterruptedAndKnown) {
  EXPECT_EQ(end_line({.passed = 1, .cancelled = 4, .reused = 1}, 0.25),
            "1 passed, 0 failed, 0 skipped, 4 not run: interrupted (1 known from earlier runs) in 250 ms");
}

TEST(BudgetLine, IsShownIfOneCallOfEachCaseTakesLonger) {
  EXPECT_EQ(budget_line(120, 173), "a budget of 2 min 0 s is too short here: one call of each case takes 2 min 53 s");
  EXPECT_EQ(budget_line(120, 90), "");
  EXPECT_EQ(budget_line(0, 90), "");
}

TEST(JsonLines, NameTheEvent) {
  EXPECT_EQ(
      to_json(event::BuildEnded{"v", {{"BLOCK", int64_t{16}}}, BuildState::built, 1.5, "", {}, 1, 2}).dump(),
      R"({"event":"build","variant":"v","macros":{"BLOCK":"16"},"state":"built","seconds":1.5,"error":"","warnings":[],)"
      R"("done":1,"of":2})");
  const CaseRecord record;
  const auto line = to_json(event::CaseEnded{record, 3, 4});
  EXPECT_EQ(line["event"], "case");
  EXPECT_EQ(line["status"], "CANCELLED");
  EXPECT_EQ(line["of"], 4);
  EXPECT_FALSE(line.contains("samples_ms"));
}

}  // namespace
}  // namespace harness
