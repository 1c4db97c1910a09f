// How long cases take, and how a run fits into a wall-clock budget.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/stopwatch.h"
#include "harness/engine/cases.h"

namespace harness {

/// Time of one call, from the rate of the build's last problem.
double estimated_call_s(const CaseState& state);

/// One call takes longer than --longest-call allows.
bool too_long(const PlacedLab& lab, const CaseState& state);

/// Time until the end of the run, for the progress line, if each case may take `max_s`. Most reach their precision
/// earlier.
double estimated_left_s(const PlacedLab& lab, const Cases& cases, double max_s);

/// What all cases that are still to be timed need at least: one check and one sample each.
struct Remaining {
  int cases = 0;
  double own_least_s = 0;  // for the lab's own cases together
  /// For each case of a submission. Its share is limited: a variant may be slow on purpose, only in the check.
  std::vector<double> submitted_s;
};
Remaining remaining(const PlacedLab& lab, const Cases& cases);

/// Time of one call of each case that was timed. A budget cannot make a run shorter.
double shortest_calls_s(const Cases& cases);

/// Reserves the time that each case needs at least, for a case of a submission no more than an even share. The rest is shared evenly.
class Budget {
 public:
  explicit Budget(std::optional<double> seconds) : seconds_(seconds) {}
  /// Time that this run waited for another one. It does not count.
  void add_wait(double waited_s) { waited_s_ += waited_s; }
  /// What to leave out, if one call of each case that is left takes longer than what the budget leaves.
  std::optional<std::string> too_short(const PlacedLab& lab, const Cases& cases) const;
  /// Sampling time of one case: `most_s`, or what the budget leaves.
  double per_case_s(double most_s, const Remaining& remaining) const;

 private:
  double left_s() const;

  std::optional<double> seconds_;
  Stopwatch watch_;
  double waited_s_ = 0;
};

}  // namespace harness
