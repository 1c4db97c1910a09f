#include "harness/cli/case_page.h"

#include <gtest/gtest.h>

#include "harness/cli/sample_plot.h"
#include "harness/store/example_records.h"

namespace harness {
namespace {

RunRecord run_with(std::vector<std::string> ids) {
  RunRecord run = testing::header();
  run.run.id = "20261122-070750-e592";
  for (const std::string& id : ids) {
    run.cases.push_back(testing::full_case());
    run.cases.back().id = id;
  }
  return run;
}

std::string named(const RunRecord& run, const std::string& words) {
  const auto found = find_named_case(run, words);
  return found ? (*found)->id : found.error().message;
}

TEST(FindNamedCase, WholeWordsComeBeforeParts) {
  const RunRecord run = run_with({"lab5/cpu/cpu_avx size=128", "lab5/cpu/cpu_avx_blocked size=128", "lab5/gpu/naive size=1"});
  EXPECT_EQ(named(run, "lab5/gpu/naive size=1"), "lab5/gpu/naive size=1");
  EXPECT_EQ(named(run, "gpu/naive size=1"), "lab5/gpu/naive size=1");
  EXPECT_EQ(named(run, "cpu_avx size=128"), "lab5/cpu/cpu_avx size=128");
  EXPECT_EQ(named(run, "block"), "lab5/cpu/cpu_avx_blocked size=128");
  EXPECT_EQ(named(run, "avx"),
            "\"avx\" fits 2 cases: \"cpu/cpu_avx size=128\", \"cpu/cpu_avx_blocked size=128\"; give more of it");
  EXPECT_EQ(named(run, "gpu/naive size=2"),
            "no case \"gpu/naive size=2\" in run 20261122-070750-e592 (did you mean \"gpu/naive size=1\"?)");
  EXPECT_EQ(named(run, "conv"), "no case \"conv\" in run 20261122-070750-e592; run.json and the report name its cases");
}

TEST(CasePage, HasThePedigree) {
  RunRecord run = run_with({"lab5/cpu/cpu_avx size=128"});
  run.builds = {{"b1", "cpu_avx", {{"BLOCK", "16"}}, BuildState::built, 1, "g++ -O3 x.cpp", "g++ 12", "x.cpp:3: warning", "ab"}};
  run.metrics_info = metrics_info();
  run.noise.after = std::make_shared<const nlohmann::json>(
      nlohmann::json{{"load_1min", 0.5}, {"gpus", {{{"pstate", "P0"}}}}});
  run.cases[0].samples_ms = {1, 2, 2, 3, 3, 3};
  const std::string page = case_page(run, run.cases[0], "int main() {\n}\n");
  for (const char* part :
       {"lab5/cpu/cpu_avx size=128  PASSED\n", "samples: 6, 4 calls per sample, stopped by precision\n",
        "  kernel_ms          0.142857 ms (0.1 to 0.2), 12 samples\n", "  right exact              integers\n",
        "  command      g++ -O3 x.cpp\n", "  macro        BLOCK=16\n", "  it printed\n    x.cpp:3: warning\n",
        "  processor    x, 2 cores\n",
        "  after        gpus/0/pstate P0, load_1min 0.5\n", "    1  int main() {\n    2  }\n"})
    EXPECT_NE(page.find(part), std::string::npos) << part << page;
  EXPECT_NE(case_page(run, run.cases[0], std::nullopt).find("source text\n  not kept: "), std::string::npos);
}

TEST(CasePage, SaysWhetherTheCheckFailed) {
  RunRecord run = run_with({"lab5/cpu/cpu_avx size=128"});
  CaseRecord& record = run.cases[0];
  const auto check = [&](Status status, std::vector<CheckLine> lines) {
    record.status = status;
    record.check = {};
    record.check.lines = std::move(lines);
    const std::string page = case_page(run, record, std::nullopt);
    const size_t from = page.find("\ncheck\n") + 7;
    return page.substr(from, page.find("\n\n", from) + 1 - from);
  };
  EXPECT_EQ(check(Status::WRONG, {}), "  failed: see the reason above\n");
  EXPECT_EQ(check(Status::CRASHED, {}), "  failed: see the reason above\n");
  EXPECT_EQ(check(Status::WRONG, {{"exact", true}}), "  right exact              \n  failed: see the reason above\n");
  EXPECT_EQ(check(Status::WRONG, {{"exact", false}}), "  WRONG exact              \n");
  EXPECT_EQ(check(Status::CRASHED, {{"exact", true}}), "  right exact              \n");
  for (const Status status : {Status::COMPILE_ERROR, Status::SKIPPED, Status::CANCELLED})
    EXPECT_EQ(check(status, {}), "  not checked\n");
}

TEST(SamplePlot, OrderThenTimes) {
  const std::vector<double> samples = {1, 1, 1, 1, 1, 1, 1, 1, 2, 1};
  EXPECT_EQ(sample_plot(samples, summarize(samples), 4),
            "  in order  ▄▄▄█  from 0 to 2 ms\n"
            "  by time   █  ▁  1 ms to 2 ms\n"
            "            |  median and its 95 % interval\n");
  const std::vector<double> few = {1, 3};
  EXPECT_EQ(sample_plot(few, summarize(few), 4),
            "  in order  ▃█  from 0 to 3 ms\n"
            "  by time   █  █  1 ms to 3 ms\n"
            "              |  median\n");
  const std::vector<double> outlier = {1, 1, 1, 1, 40};
  EXPECT_EQ(sample_plot(outlier, summarize(outlier), 5),
            "  in order  ▄▄▄▄█  from 0 to 2 ms, the slowest 40 ms\n"
            "  by time   █   ▂  1 ms to 2 ms or more\n"
            "            |  median\n");
  EXPECT_EQ(sample_plot({}, {}, 4), "  no samples\n");
}

}  // namespace
}  // namespace harness
