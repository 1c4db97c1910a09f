#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "harness/compare/compare_runs.h"
#include "harness/store/example_records.h"

namespace harness {
namespace {

using Samples = std::vector<double>;
using Draw = std::function<double(std::mt19937_64&)>;

Samples draw(std::mt19937_64& random, int n, const Draw& one) {
  Samples all(static_cast<size_t>(n));
  for (double& x : all) x = one(random);
  return all;
}

struct Rates {
  int same = 0, false_changes = 0, found = 0, cells = 0;
};

/// Compares `cells` pairs of n samples of the same distribution, B's times `factor`, as one comparison of 100 cells.
Rates simulate(uint64_t seed, int cells, int n, double factor, const Draw& one) {
  std::mt19937_64 random(seed);
  Rates rates;
  rates.cells = cells;
  for (int i = 0; i < cells; ++i) {
    const Samples a = draw(random, n, one);
    Samples b = draw(random, n, one);
    for (double& x : b) x *= factor;
    const Change change = compare_samples({{a}}, {{b}}, 100, {}).change;
    rates.same += change == Change::SAME;
    rates.false_changes += change == Change::FASTER || (factor <= 1.03 && change == Change::SLOWER);
    rates.found += change == Change::SLOWER;
  }
  return rates;
}

double normal(std::mt19937_64& random) { return std::normal_distribution<double>()(random); }

// A quiet machine: 1 % noise, and a tail of slow samples.
double quiet(std::mt19937_64& random) {
  const double tail = std::exponential_distribution<double>(1)(random);
  return 1 + 0.005 * std::fabs(normal(random)) + (tail > 3 ? 0.1 * tail : 0);
}

// A busy one: each sample is late by an exponential delay of 30 % in the mean.
double busy(std::mt19937_64& random) { return 1 + std::exponential_distribution<double>(1 / 0.3)(random); }

TEST(CompareSamples, TheSameThingTwiceIsSameInOverNinetySevenPercentOfCells) {
  const Rates rates = simulate(1, 1000, 60, 1, quiet);
  EXPECT_EQ(rates.false_changes, 0);
  EXPECT_GE(rates.same, 970);
}

TEST(CompareSamples, NoFalseChangeInAThousandCellsOfABusyMachine) {
  EXPECT_EQ(simulate(2, 1000, 60, 1, busy).false_changes, 0);
  EXPECT_EQ(simulate(3, 1000, 20, 1, busy).false_changes, 0);
}

TEST(CompareSamples, TenSamplesAreEnoughForAHundredCells) {
  const auto steady = [](std::mt19937_64& random) { return 1 + 0.003 * normal(random); };
  const Rates same = simulate(7, 1000, 10, 1, steady);
  EXPECT_EQ(same.false_changes, 0);
  EXPECT_GE(same.same, 970);
  EXPECT_EQ(simulate(8, 1000, 10, 1, busy).false_changes, 0);
  EXPECT_GE(simulate(9, 200, 10, 1.1, steady).found, 195);
}

// A process of a GPU variant shifts all its times by up to 0.5 us.
TEST(CompareSamples, WhatTheClockOfAGpuDoesNotResolveIsNoChange) {
  const auto changed = [](double a_ms, double b_ms) {
    const Samples a(20, a_ms), b(20, b_ms);
    return compare_samples({{a}, 0, gpu_resolution_ms}, {{b}, 0, gpu_resolution_ms}, 100, {}).change;
  };
  EXPECT_EQ(changed(0.0121, 0.0130), Change::SAME);
  EXPECT_EQ(changed(0.0130, 0.0121), Change::SAME);
  EXPECT_EQ(changed(0.0121, 0.0132), Change::SLOWER);
  EXPECT_EQ(changed(0.0132, 0.0121), Change::FASTER);
  EXPECT_EQ(changed(1, 1.035), Change::SLOWER) << "the stated effect is more than 1 us";
  const Samples a(20, 0.0121), b(20, 0.0130);
  EXPECT_EQ(compare_samples({{a}}, {{b}}, 100, {}).change, Change::SLOWER) << "a CPU's clock is finer";
}

// Machines change their mood: a whole run has 20 % slower medians, but its best samples are undisturbed.
TEST(CompareSamples, ARunThatWasDisturbedThroughoutIsNotSlower) {
  std::mt19937_64 random(4);
  int slower = 0, undecided = 0;
  for (int i = 0; i < 200; ++i) {
    const Samples a = draw(random, 100, quiet);
    Samples b = draw(random, 100, quiet);
    for (double& x : b)
      if (std::bernoulli_distribution(0.9)(random)) x += 0.2 * std::exponential_distribution<double>(1)(random);
    const Change change = compare_samples({{a}}, {{b}}, 100, {}).change;
    slower += change == Change::SLOWER;
    undecided += change == Change::UNDECIDED;
  }
  EXPECT_EQ(slower, 0);
  EXPECT_GE(undecided, 190);
}

TEST(CompareSamples, ARealChangeIsFound) {
  EXPECT_GE(simulate(5, 200, 60, 1.10, quiet).found, 195);
  EXPECT_EQ(simulate(6, 200, 60, 1.015, quiet).false_changes, 0);  // below the minimum effect
}

// The second half of each run is slower, and the runs end at different moments of it.
TEST(CompareSamples, ADriftThatOneRunShowsIsNoChange) {
  Samples a(40, 1.0), b(40, 1.0);
  for (size_t i = 0; i < 40; ++i) {
    a[i] += 1e-4 * static_cast<double>(i % 7) + (i < 30 ? 0 : 0.5);
    b[i] = 1.2 + 1e-4 * static_cast<double>(i % 5);
  }
  EXPECT_EQ(compare_samples({{a}}, {{b}}, 1, {}).change, Change::UNDECIDED);
}

TEST(CompareSamples, DirectionAndRule) {
  const Samples one(40, 1.0), two(40, 2.0), few(4, 1.0);
  EXPECT_EQ(compare_samples({{one}}, {{two}}, 1, {}).change, Change::SLOWER);
  EXPECT_EQ(compare_samples({{two}}, {{one}}, 1, {}).change, Change::FASTER);
  EXPECT_EQ(compare_samples({{one}}, {{one}}, 1, {}).change, Change::SAME);
  EXPECT_EQ(compare_samples({{one}}, {{two}}, 1, {.minimum_effect = 1.5}).change, Change::SAME);
  EXPECT_DOUBLE_EQ(compare_samples({{one}}, {{two}}, 1, {}).ratio.value, 2);
  const ComparedCell cell = compare_samples({{few}}, {{few}}, 7, {});
  EXPECT_EQ(cell.change, Change::UNDECIDED);
  EXPECT_EQ(cell.why, "4 and 4 samples are too few to compare 7 cells");
  // More cells need wider intervals, and so more samples.
  EXPECT_EQ(compare_samples({{Samples(5, 1.0)}}, {{Samples(5, 2.0)}}, 6, {}).change, Change::SLOWER);
  EXPECT_EQ(compare_samples({{Samples(5, 1.0)}}, {{Samples(5, 2.0)}}, 7, {}).change, Change::UNDECIDED);
  EXPECT_EQ(compare_samples({{Samples(5, 1.0)}}, {{Samples(5, 1.0)}}, 6, {}).why, "5 and 5 samples are too few to say SAME");
}

TEST(CompareSamples, TheIntervalIncludesTheSpreadOfTheOverhead) {
  const Samples one(40, 1.0), two(40, 2.0);
  EXPECT_EQ(compare_samples({{one}, 0.01}, {{one}, 0.02}, 1, {}).change, Change::SAME);
  EXPECT_EQ(compare_samples({{one}, 0.01}, {{one}, 0.05}, 1, {}).change, Change::UNDECIDED);
  const Ratio ratio = compare_samples({{one}, 0.2}, {{two}, 0.5}, 1, {}).ratio;
  EXPECT_DOUBLE_EQ(ratio.value, 2);
  EXPECT_DOUBLE_EQ(ratio.interval->low, 1.5);
  EXPECT_DOUBLE_EQ(ratio.interval->high, 2 / 0.8);
}

RunRecord run_of(std::vector<CaseRecord> cases) {
  RunRecord run = testing::header();
  run.cases = std::move(cases);
  return run;
}

CaseRecord timed(int size, const std::string& variant, double ms) {
  CaseRecord record = testing::full_case(size);
  record.id = "lab5/sizes/" + variant + " size=" + std::to_string(size);
  record.variant = variant;
  record.samples_ms.assign(40, ms);
  return record;
}

TEST(CompareRuns, CellsMeetByName) {
  CaseRecord wrong = timed(4, "cpu_avx", 1), other = timed(5, "cpu_avx", 1), unstable = timed(6, "cpu_avx", 1);
  wrong.status = Status::WRONG;
  other.parameters.emplace_back("alpha", 2.0);
  unstable.status = Status::UNSTABLE;
  const RunRecord a = run_of({timed(1, "cpu_avx", 1), timed(2, "cpu_avx", 1), timed(3, "cpu_avx", 1),
                              timed(4, "cpu_avx", 1), timed(5, "cpu_avx", 1), timed(6, "cpu_avx", 1)});
  const RunRecord b = run_of({timed(1, "cpu_avx", 2), timed(2, "cpu_avx", 0.5), wrong, other, unstable, timed(7, "cpu_avx", 1)});
  const RunComparison all = compare_runs({&a, 1}, {&b, 1});
  ASSERT_EQ(all.cells.size(), 3u);
  EXPECT_EQ(all.count(Change::SLOWER), 1);
  EXPECT_EQ(all.count(Change::FASTER), 1);
  EXPECT_EQ(all.cells[2].why, "B is UNSTABLE");
  ASSERT_EQ(all.variants.size(), 1u);
  EXPECT_NEAR(all.variants[0].geometric_mean, 1, 1e-12);
  std::vector<std::string> reasons;
  for (const UncomparedCell& cell : all.uncompared) reasons.push_back(cell.name + ": " + cell.reason + (cell.broken ? " broken" : ""));
  EXPECT_EQ(reasons, (std::vector<std::string>{
                         "sizes/cpu_avx size=3: only in A", "sizes/cpu_avx size=4: A: PASSED, B: WRONG broken",
                         "sizes/cpu_avx size=5: another problem in B", "sizes/cpu_avx size=7: only in B"}));
}

TEST(CompareRuns, ABusyMachineDecidesNothing) {
  RunRecord a = run_of({timed(1, "cpu_avx", 1)}), b = run_of({timed(1, "cpu_avx", 2)});
  EXPECT_EQ(compare_runs({&a, 1}, {&b, 1}).cells[0].change, Change::SLOWER);
  b.noise.before = std::make_shared<const nlohmann::json>(nlohmann::json{{"load_1min", 5.2}});
  EXPECT_EQ(compare_runs({&a, 1}, {&b, 1}).cells[0].change, Change::UNDECIDED);
  EXPECT_EQ(compare_runs({&a, 1}, {&b, 1}).cells[0].why, "the machine of B was busy");
  a.cases[0].device = b.cases[0].device = Device::gpu;  // whose own clock takes the times
  EXPECT_EQ(compare_runs({&a, 1}, {&b, 1}).cells[0].change, Change::SLOWER);
}

// A shared machine: each run finds it in another state, which changes all times by up to 20 %, and one cell of a run sees
// the state change.
std::vector<RunRecord> series(size_t count, double factor, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<RunRecord> runs;
  for (size_t i = 0; i < count; ++i) {
    std::vector<CaseRecord> cases;
    for (int size = 0; size < 10; ++size) {
      cases.push_back(timed(size, "cpu_avx", 0));
      const double state = std::uniform_real_distribution<double>(1, 1.2)(random);
      for (double& ms : cases.back().samples_ms) ms = factor * state * (1 + 0.002 * normal(random));
    }
    for (size_t k = 20; k < 40; ++k) cases[0].samples_ms[k] *= 1.2;
    runs.push_back(run_of(std::move(cases)));
  }
  return runs;
}

TEST(CompareRuns, OneRunShowsOnlyChangesAboveItsScatter) {
  const auto a = series(1, 1, 1), b = series(1, 1, 2), slower = series(1, 1.6, 3);
  const RunComparison same = compare_runs(a, b), changed = compare_runs(a, slower);
  EXPECT_NEAR(same.scatter, 1.2, 0.02);
  EXPECT_EQ(same.count(Change::SLOWER) + same.count(Change::FASTER), 0);
  EXPECT_GE(changed.count(Change::SLOWER), 9);
  const auto is_scatter = [](const ComparedCell& cell) { return cell.why.starts_with("other cases scatter by a factor of 1.2"); };
  EXPECT_TRUE(std::ranges::any_of(same.cells, is_scatter));
}

TEST(CompareRuns, SixRunsShowSmallerChanges) {
  const auto a = series(6, 1, 4);
  const auto again = series(6, 1, 5), slower = series(6, 1.25, 6);
  const RunComparison same = compare_runs(a, again), changed = compare_runs(a, slower);
  EXPECT_EQ(same.scatter, 1);
  EXPECT_EQ(same.count(Change::SLOWER) + same.count(Change::FASTER), 0);
  EXPECT_GE(changed.count(Change::SLOWER), 9);
  EXPECT_EQ(compare_runs(a, a).count(Change::UNDECIDED), 10);  // the states of the machine differ by more than 3 %
}

TEST(CompareRuns, TheSameSamplesAreNoSecondMeasurement) {
  auto a = series(6, 1, 4);
  const auto b = series(6, 1.6, 6);
  EXPECT_GE(compare_runs(a, b).count(Change::SLOWER), 9);
  a[5].cases[3] = a[0].cases[3];  // reused from the store
  const RunComparison all = compare_runs(a, b);
  EXPECT_EQ(all.cells[3].change, Change::UNDECIDED);
  EXPECT_EQ(all.cells[3].why, "two runs of A have the same samples: make each run with --fresh");
  EXPECT_EQ(all.cells[4].change, Change::SLOWER);
  const auto one = run_of({timed(1, "cpu_avx", 1)});
  const RunComparison same = compare_runs({&one, 1}, {&one, 1});
  EXPECT_EQ(same.cells[0].change, Change::SAME);
  EXPECT_EQ(same.cells[0].why, "B has the same samples as A: make its run with --fresh");
}

std::vector<std::string> words(const std::vector<Difference>& all) {
  std::vector<std::string> lines;
  for (const Difference& one : all)
    lines.push_back(std::string(to_string(one.kind)) + ", " + one.what + ": " + one.a + " / " + one.b);
  return lines;
}

TEST(Differences, NameWhatCouldChangeATime) {
  RunRecord a = testing::header(), b = a;
  a.builds = {{"b1", "cpu_avx", {}, BuildState::built, 1, "g++ -O3 -I/here -c /here/x.cpp -o x.o", "g++ 12", "", "abcdefabcdefabc"}};
  EXPECT_TRUE(differences(a, a).empty());
  b.builds = {{"b2", "cpu_avx", {}, BuildState::built, 1, "g++ -O2 -I/there -c /there/x.cpp -o x.o", "g++ 13", "", "0123456789abcdef"}};
  b.machine.cpu.model = "y";
  b.machine.cpu.features = {"avx512f"};
  b.machine.cpu.governor = "performance";
  b.run.harness.dirty = true;
  b.noise.before = std::make_shared<const nlohmann::json>(nlohmann::json{{"load_1min", 5.2}});
  EXPECT_EQ(words(differences(a, b)),
            (std::vector<std::string>{
                "machine, processor: x / y", "machine, features of the processor: avx2 / avx512f",
                "clocks, governor: - / performance", "clocks, load before: below 1 / 5",
                "compiler, compiler of cpu_avx: g++ 12 / g++ 13", "flags, flags of cpu_avx: -O3 / -O2",
                "source, source of cpu_avx: abcdefabcdef / 0123456789ab",
                "harness, uncommitted changes: - / with uncommitted changes"}));
}

TEST(Differences, CompareBuildsOfTheSameMacrosWithoutPaths) {
  RunRecord a = testing::header(), b = a;
  const auto build = [](const std::string& block, const std::string& command, const std::string& hash) {
    return BuildRecord{"key" + block, "v", {{"BLOCK", block}}, BuildState::built, 1, command, "g++ 12", "", hash};
  };
  a.builds = {build("8", "g++ -O3 -DBLOCK=8 -L/here/lib", "aa"), build("16", "g++ -O3 -DBLOCK=16 -L/here/lib", "aa")};
  b.builds = {build("16", "g++ -O3 -DBLOCK=16 -L/there -ffile-prefix-map=/there=.", "aa")};
  EXPECT_TRUE(differences(a, b).empty());
  b.builds[0].command = "g++ -O2 -DBLOCK=16";
  EXPECT_EQ(words(differences(a, b)), std::vector<std::string>{"flags, flags of v: -O3 / -O2"});
  b.builds[0].command = "g++ -DBLOCK=16 -O3";  // later flags win over earlier ones
  EXPECT_EQ(words(differences(a, b)), std::vector<std::string>{"flags, flags of v: -O3 -DBLOCK=16 / -DBLOCK=16 -O3"});
}

TEST(Differences, NameHeadersThatChanged) {
  RunRecord a = testing::header(), b = a;
  a.sources = {{"configs/lab.yaml", "11", ""}, {"labs/gemm/tile.h", "22", ""}, {"labs/gemm/v.cpp", "33", "v"}};
  b.sources = {{"configs/lab.yaml", "12", ""}, {"labs/gemm/tile.h", "23", ""}, {"labs/gemm/v.cpp", "34", "v"}};
  EXPECT_EQ(words(differences(a, b)), std::vector<std::string>{"source, file labs/gemm/tile.h: 22 / 23"});
}

}  // namespace
}  // namespace harness
