// Two runs, or two series of runs, side by side: which cases became faster or slower, and what else was different.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/base/enums.h"
#include "harness/compare/environment.h"
#include "harness/measure/call_time.h"
#include "harness/measure/statistics.h"
#include "harness/store/run_record.h"

namespace harness {

/// How the times of run B lie relative to those of run A.
enum class Change { FASTER, SLOWER, SAME, UNDECIDED };
template <>
struct Spelling<Change> {
  static constexpr std::string_view words[] = {"FASTER", "SLOWER", "SAME", "UNDECIDED"};
};

/// What was timed of a case.
struct Timing {
  std::vector<std::span<const double>> runs;  // the samples of each run that timed it
  double overhead_spread_ms = 0;              // the largest of these runs
  double resolution_ms = 0;                   // two times that differ by less are the same for its clock
};
Timing timing_of(const CaseRecord& record);

struct CompareRule {
  double minimum_effect = 0.03;  // a smaller change is none; nor is one that the clock does not resolve
  double error_rate = 0.05;      // that any cell of the comparison is wrong by chance (Bonferroni)
};

/// A case that both sides timed.
struct ComparedCell {
  const CaseRecord *a = nullptr, *b = nullptr;  // the case in the first run of A and in the first run of B
  double a_ms = 0, b_ms = 0;                    // medians of all samples
  Ratio ratio;  // time of b over time of a; 1.05: b takes 5 % longer
  double minimum_effect = 0;
  Change change = Change::UNDECIDED;
  std::string why;  // UNDECIDED: the reason; also if both sides have the same samples
};

/// A case that cannot be compared.
struct UncomparedCell {
  std::string name, reason;
  bool broken = false;  // it passed in a and fails in b
};

struct VariantChange {
  std::string variant;
  int counts[4] = {};         // of cells by Change
  double geometric_mean = 1;  // of the ratios
};

struct RunComparison {
  std::vector<ComparedCell> cells;
  std::vector<UncomparedCell> uncompared;
  std::vector<VariantChange> variants;
  std::vector<Difference> differences;
  CompareRule rule;
  double scatter = 1;  // the interval of a change on the CPU must lie beyond this factor; 1: there are enough runs

  int count(Change change) const;
  int count_broken() const;
};

/// Runs on each side from which on the variation between runs is known from the runs themselves. docs/comparing.md
inline constexpr size_t enough_runs = 6;

/// A shared machine is faster or slower for seconds, often longer than a case is timed. How much, cases show that were
/// timed when it changed: of one CPU case in twenty, the slow samples take so many times as long as the fast ones.
/// 1 with enough runs.
double scatter_between_runs(std::span<const RunRecord> a, std::span<const RunRecord> b);

/// Each side is one run, or several runs of the same lab. The result refers to them; they must outlive it.
RunComparison compare_runs(std::span<const RunRecord> a, std::span<const RunRecord> b, const CompareRule& rule = {});

/// The ratio of the medians, b over a, with an interval that allows for `cells` ratios at the same time. With too few
/// samples for such an interval it is the ratio of the whole ranges, if samples of the same distribution are separated by
/// chance rarely enough; with still fewer there is none.
Ratio cautious_ratio(const Timing& a, const Timing& b, size_t cells, double error_rate);

/// The stated share, or what the clock resolves of the shorter time, if that is more.
double smallest_effect(const Timing& a, const Timing& b, double stated);

/// Whole ranges of few samples can show a difference, but not that there is none: that needs intervals of both medians.
bool shows_sameness(const Summary& a, const Summary& b);

/// The ratio of two lists of samples and its verdict, if `cells` of them are compared at the same time.
/// FASTER and SLOWER: the whole interval of the ratio of medians lies beyond the minimum effect, and so does the ratio of
/// the fastest samples, which a busy machine disturbs least. SAME: the whole interval lies within the minimum effect.
ComparedCell compare_samples(const Timing& a, const Timing& b, size_t cells, const CompareRule& rule);

/// It has samples, and its output was right.
bool is_timed(const CaseRecord& record);

/// "cpu_sizes/cpu_avx size=128": the name of a case in all runs of its lab.
std::string cell_name(const CaseRecord& record);
std::string cell_name(const std::string& id);

}  // namespace harness
