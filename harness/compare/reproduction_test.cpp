#include "harness/compare/reproduction.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/store/example_records.h"
#include "harness/store/read_run.h"

namespace harness {
namespace {

CaseRecord timed(const std::string& variant, double ms, Status status = Status::PASSED) {
  CaseRecord record = testing::full_case(1);
  record.id = "lab5/sizes/" + variant + " size=1";
  record.sweep = "sizes";
  record.variant = variant;
  record.status = status;
  record.samples_ms.assign(info(status).fails || status == Status::SKIPPED ? 0 : 40, ms);
  record.metrics.clear();
  return record;
}

RunRecord run_of(std::vector<CaseRecord> cases, const std::string& processor = "x") {
  RunRecord run = testing::header();
  run.machine.cpu.model = processor;
  run.cases = std::move(cases);
  return run;
}

/// "cpu_avx: REPRODUCED", ...
std::vector<std::string> outcomes(const RunRecord& original, const RunRecord& again) {
  std::vector<std::string> all;
  for (const ReproducedCell& cell : reproduce_cells(original, again).cells)
    all.push_back(cell.original->variant + ": " + std::string(to_string(cell.outcome)) + (cell.why.empty() ? "" : ", " + cell.why));
  return all;
}

using Lines = std::vector<std::string>;

TEST(Reproduction, OnTheSameMachineClassTimesMustAgree) {
  const RunRecord original = run_of({timed("a", 1), timed("b", 2)});
  EXPECT_EQ(outcomes(original, run_of({timed("a", 1.05), timed("b", 2)})), (Lines{"a: REPRODUCED", "b: REPRODUCED"}));
  EXPECT_EQ(outcomes(original, run_of({timed("a", 1.5), timed("b", 2)})),
            (Lines{"a: ORDER HOLDS, 1 of 1 in the order of the original", "b: REPRODUCED"}));
  EXPECT_EQ(outcomes(original, run_of({timed("a", 0.4), timed("b", 2)}))[0].substr(0, 60),
            "a: DIFFERENT, 1 of 1 in the order of the original; no differ");
  EXPECT_EQ(outcomes(original, run_of({timed("a", 3), timed("b", 2)})),
            (Lines{"a: DIFFERENT, 0 of 1 in the order of the original; no difference between the machines was recorded: was "
                   "one of them busy?",
                   "b: REPRODUCED"}));
}

TEST(Reproduction, OnAnotherMachineTheOrderMustHold) {
  const RunRecord original = run_of({timed("a", 1), timed("b", 2), timed("same_as_b", 2)});
  EXPECT_EQ(outcomes(original, run_of({timed("a", 10), timed("b", 30), timed("same_as_b", 20)}, "y")),
            (Lines{"a: ORDER HOLDS, 2 of 2 in the order of the original", "b: ORDER HOLDS, 1 of 1 in the order of the original",
                   "same_as_b: ORDER HOLDS, 1 of 1 in the order of the original"}));
  const Lines turned = outcomes(original, run_of({timed("a", 40), timed("b", 30), timed("same_as_b", 50)}, "y"));
  EXPECT_EQ(turned[0], "a: DIFFERENT, 1 of 2 in the order of the original; likely the machine: processor, x / y");
  EXPECT_EQ(turned[2], "same_as_b: ORDER HOLDS, 1 of 1 in the order of the original");
  EXPECT_EQ(outcomes(run_of({timed("alone", 1)}), run_of({timed("alone", 1)}, "y")),
            (Lines{"alone: NOT RUN, another machine, and the original tells this case apart from no other"}));
}

TEST(Reproduction, WhatTheOriginalPrintsMustFollowFromWhatItMeasured) {
  CaseRecord changed = timed("a", 1);
  changed.metrics = {{MetricName::kernel_ms, Metric{.median = 0.5}}};
  EXPECT_EQ(outcomes(run_of({changed}), run_of({timed("a", 1)})),
            (Lines{"a: DIFFERENT, the original says 500 us, and its samples say 1 ms"}));
  changed.metrics = {{MetricName::gflops, Metric{.median = 7}}};
  changed.flops = 2e6;
  EXPECT_EQ(outcomes(run_of({changed}), run_of({timed("a", 1)}))[0].substr(0, 49), "a: DIFFERENT, the original says 2e+06 operations,");
  CaseRecord as_large = timed("a", 1);
  as_large.flops = changed.flops;
  EXPECT_EQ(outcomes(run_of({changed}), run_of({as_large})),
            (Lines{"a: DIFFERENT, the original says 7 GFLOP/s, and its samples say 2 GFLOP/s"}));
  changed.samples_ms.clear();
  EXPECT_EQ(outcomes(run_of({changed}), run_of({as_large})),
            (Lines{"a: DIFFERENT, the original prints times and has no samples of them"}));
  CaseRecord faster = timed("a", 1), base = timed("b", 4);
  faster.metrics = {{MetricName::speedup, Metric{.median = 4, .over = "b"}}};
  EXPECT_EQ(outcomes(run_of({faster, base}), run_of({timed("a", 1), timed("b", 4)}))[0].substr(0, 11), "a: REPRODUC");
  faster.metrics[0].second.median = 40;
  EXPECT_EQ(outcomes(run_of({faster, base}), run_of({timed("a", 1), timed("b", 4)}))[0],
            "a: DIFFERENT, the original says 40 times as fast as b, and its samples say 4");
  EXPECT_EQ(outcomes(run_of({faster}), run_of({timed("a", 1)})),
            (Lines{"a: DIFFERENT, the original says 40 times as fast as b, and has no time of it"}));
  as_large.threads = 1;
  const auto told = [&](CaseRecord one, MetricName name, Metric metric) {
    RunRecord run = run_of({std::move(one), timed("b", 4)});
    run.machine_limits = {{.name = "fma_f32", .device = "cpu", .threads = 1, .value = 8e9}};
    run.cases[0].metrics.emplace_back(name, std::move(metric));
    return outcomes(run, run_of({as_large, timed("b", 4)}))[0];
  };
  const std::string again = told(as_large, MetricName::percent_of_limit, {.median = 25, .limit = "fma_f32"});
  EXPECT_EQ(again.substr(0, 11), "a: REPRODUC") << again;
  EXPECT_EQ(told(as_large, MetricName::percent_of_limit, {.median = 97, .limit = "fma_f32"}),
            "a: DIFFERENT, the original says percent_of_limit 97, and its samples say 25");
  EXPECT_EQ(told(as_large, MetricName::percent_of_limit, {.median = 97, .limit = "copy"}),
            "a: DIFFERENT, the original says percent_of_limit 97 of a limit that it does not have");
  EXPECT_EQ(told(as_large, MetricName::gbytes_s, {.median = 97}),
            fmt::format("a: DIFFERENT, the original says gbytes_s 97, and its samples say gbytes_s {:.4g}", as_large.bytes * 1e-6));
  EXPECT_EQ(told(as_large, MetricName::speedup_total, {.median = 9, .over = "b"}),
            "a: DIFFERENT, the original says speedup_total 9 over b, and its times say 4");
  EXPECT_EQ(told(as_large, MetricName::total_ms, {.median = 9}),
            "a: DIFFERENT, the original says total_ms 9, and its parts are 1 together");
  CaseRecord reused = as_large;
  reused.reused_from = "an earlier run";
  EXPECT_EQ(told(reused, MetricName::percent_of_limit, {.median = 60, .limit = "fma_f32"}).substr(0, 11), "a: REPRODUC")
      << "the limit of that run may have been another one";
  EXPECT_EQ(told(reused, MetricName::percent_of_limit, {.median = 101, .limit = "fma_f32"}),
            "a: DIFFERENT, the original says percent_of_limit 101, and its samples say 25");
  EXPECT_EQ(told(as_large, MetricName::percent_of_vendor, {.median = 4000, .over = "b"}),
            "a: DIFFERENT, the original says 40 times as fast as b, and its samples say 4");
  EXPECT_EQ(told(as_large, MetricName::gflops_total, {.median = 9}),
            "a: DIFFERENT, the original says gflops_total 9, and its times say 2");
  EXPECT_EQ(told(as_large, MetricName::gbytes_s, {.median = std::nan("")}).substr(0, 47),
            "a: DIFFERENT, the original says gbytes_s nan, a");
  EXPECT_EQ(told(as_large, MetricName::speedup_recorded, {.median = 500, .over = "t.csv"}),
            "a: DIFFERENT, the original says speedup_recorded 500, and the config has no recorded time of it");
  EXPECT_EQ(told(as_large, MetricName::efficiency, {.median = 0.97}),
            "a: DIFFERENT, the original says efficiency 0.97, which does not follow from a speedup and a number of warps");
}

TEST(Reproduction, ACaseMustBeWhatTheOriginalSays) {
  const auto told = [](auto change, const std::string& processor = "x") {
    CaseRecord record = timed("a", 1);
    change(record);
    const std::string told = outcomes(run_of({record, timed("b", 2)}), run_of({timed("a", 1), timed("b", 2)}, processor))[0];
    return told.substr(0, told.find(", and"));
  };
  EXPECT_EQ(told([](CaseRecord& r) { r.label = "m=2048"; }), "a: DIFFERENT, the original says m=2048");
  EXPECT_EQ(told([](CaseRecord& r) { r.dtype = Dtype::bf16; }), "a: DIFFERENT, the original says bf16");
  EXPECT_EQ(told([](CaseRecord& r) { r.axes = {{"size", int64_t{4096}}}; }), "a: DIFFERENT, the original says size=4096");
  EXPECT_EQ(told([](CaseRecord& r) { r.device = Device::gpu; }), "a: DIFFERENT, the original says on a GPU");
  EXPECT_EQ(told([](CaseRecord& r) { r.threads = 64; }), "a: DIFFERENT, the original says 64 threads");
  EXPECT_EQ(told([](CaseRecord& r) { r.threads = 64; }, "y"), "a: ORDER HOLDS, 1 of 1 in the order of the original")
      << "another machine may have another number of cores";
}

TEST(Reproduction, TheEmulatedDeviceFindsTheSameAgain) {
  CaseRecord clean = timed("a", 1), slow = clean;
  for (CaseRecord* record : {&clean, &slow}) {
    record->device = Device::emulated;
    record->samples_ms.clear();
    record->diagnostics.clear();
  }
  Diagnostic diagnostic;
  diagnostic.kind = "uncoalesced";
  diagnostic.file = "gpu_x.cu";
  diagnostic.line = 33;
  diagnostic.severity = Severity::advice;
  diagnostic.what = "128 times";
  slow.diagnostics = {diagnostic};
  EXPECT_EQ(outcomes(run_of({slow}), run_of({slow})), (Lines{"a: REPRODUCED, PASSED again"}));
  EXPECT_EQ(outcomes(run_of({clean}), run_of({slow})),
            (Lines{"a: DIFFERENT, this run finds uncoalesced at gpu_x.cu:33: 128 times, which the original does not have"}));
  EXPECT_EQ(outcomes(run_of({slow}), run_of({clean})),
            (Lines{"a: DIFFERENT, the original has uncoalesced at gpu_x.cu:33: 128 times, which this run does not find"}));
  RunRecord other_version = run_of({slow});
  other_version.run.harness.commit = "another";
  other_version.cases[0].diagnostics[0].what = "in other words";
  EXPECT_EQ(outcomes(other_version, run_of({slow})), (Lines{"a: REPRODUCED, PASSED again"}));
  slow.metrics = {{MetricName::percent_of_limit, Metric{.median = 97}}};
  EXPECT_EQ(outcomes(run_of({slow}), run_of({slow})), (Lines{"a: DIFFERENT, the original prints times and has no samples of them"}));
}

TEST(Reproduction, HonestRunsContradictNothing) {
  int cells = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(HARNESS_SOURCE_DIR) / "docs/examples")) {
    const auto run = read_run(entry.path());
    if (!run) continue;  // a class, not a run
    for (const ReproducedCell& cell : reproduce_cells(*run, *run).cells) {
      EXPECT_FALSE(cell.why.starts_with("the original")) << entry.path() << " " << cell.original->id << ": " << cell.why;
      ++cells;
    }
  }
  EXPECT_GT(cells, 1000);
}

TEST(Reproduction, ScatterDecidesNothing) {
  CaseRecord wide = timed("a", 1);
  for (size_t i = 0; i < wide.samples_ms.size(); ++i) wide.samples_ms[i] = i % 2 ? 0.7 : 1.5;
  EXPECT_EQ(outcomes(run_of({timed("a", 1)}), run_of({wide})), (Lines{"a: UNDECIDED, the times scatter too much to say"}));
  CaseRecord few = timed("a", 1);
  few.samples_ms.resize(1);
  EXPECT_EQ(outcomes(run_of({timed("a", 1)}), run_of({few})), (Lines{"a: UNDECIDED, the times scatter too much to say"}));
  EXPECT_EQ(outcomes(run_of({timed("a", 1)}), run_of({timed("a", 1, Status::UNSTABLE)})),
            (Lines{"a: UNDECIDED, PASSED in the original, UNSTABLE here"}));
}

TEST(Reproduction, TheSpreadOfTheOverheadDecidesNothing) {
  CaseRecord again = timed("a", 1);
  again.overhead_spread_ms = 0.2;
  EXPECT_EQ(outcomes(run_of({timed("a", 1)}), run_of({again})), (Lines{"a: UNDECIDED, the times scatter too much to say"}));
}

TEST(Reproduction, OtherCasesShowThatTheMachineChangedItsSpeed) {
  CaseRecord other = timed("other", 1);
  other.parameters.emplace_back("size", 99.0);
  const RunRecord original = run_of({timed("alone", 1), other});
  EXPECT_EQ(outcomes(original, run_of({timed("alone", 1.3), other}))[0].substr(0, 16), "alone: DIFFERENT");
  for (size_t i = 0; i < other.samples_ms.size() / 2; ++i) other.samples_ms[i] = 1.5;
  EXPECT_EQ(outcomes(original, run_of({timed("alone", 1.3), other}))[0], "alone: UNDECIDED, the times scatter too much to say");
}

TEST(Reproduction, AnOrderThatNobodyCanTellHereIsNotLost) {
  const RunRecord original = run_of({timed("a", 1), timed("b", 1.005)});
  EXPECT_EQ(outcomes(original, run_of({timed("a", 10), timed("b", 10)}, "y"))[0],
            "a: NOT RUN, another machine, and the original tells this case apart from no other");
}

TEST(Reproduction, TheLikelyCauseIsTheClosestOne) {
  RunRecord original = run_of({timed("a", 1)}), again = run_of({timed("a", 2)});
  original.builds = {{"k", "a", {}, BuildState::built, 1, "g++ -O3", "g++ 12", "", "11"},
                     {"l", "b", {}, BuildState::built, 1, "g++ -O3", "g++ 12", "", "22"}};
  again.builds = {{"k", "a", {}, BuildState::built, 1, "g++ -O3", "g++ 13", "", "11"},
                  {"l", "b", {}, BuildState::built, 1, "g++ -O2", "g++ 13", "", "22"}};
  EXPECT_EQ(outcomes(original, again), (Lines{"a: DIFFERENT, likely the compiler: compiler of a, g++ 12 / g++ 13"}));
}

TEST(Reproduction, VerdictsAreReproducedToo) {
  CaseRecord skipped = timed("gpu", 1, Status::SKIPPED), broken = timed("c", 1, Status::COMPILE_ERROR);
  skipped.reason = "no GPU was found on this machine";
  broken.reason = "x.cpp:1:1: error: no";
  const RunRecord original = run_of({timed("wrong", 1, Status::WRONG), timed("now_wrong", 1), timed("gpu", 1), timed("c", 1),
                                     timed("gone", 1), timed("never", 1, Status::SKIPPED)});
  CaseRecord now_wrong = timed("now_wrong", 1, Status::WRONG);
  now_wrong.reason = "on m=1";
  EXPECT_EQ(outcomes(original, run_of({timed("wrong", 1, Status::WRONG), now_wrong, skipped, broken})),
            (Lines{"wrong: REPRODUCED, WRONG again", "now_wrong: DIFFERENT, PASSED in the original, WRONG here: on m=1",
                   "gpu: NOT RUN, no GPU was found on this machine",
                   "c: NOT RUN, it does not compile here: x.cpp:1:1: error: no",
                   "gone: NOT RUN, no such case in the config that was run"}));
}

}  // namespace
}  // namespace harness
