// Cases that are compared with each other are checked, timed and recorded together.
#pragma once

#include <vector>

#include "harness/engine/budget.h"
#include "harness/engine/limits.h"
#include "harness/engine/time_group.h"

namespace harness {

/// Cases of one sweep, problem, type, number of threads and device.
using Group = std::vector<CaseState*>;

/// Short problems first, because their rates allow to estimate the time of others. Among equal problems first the group
/// with the baseline, because groups on other devices are compared with it. Problems that students must not know come
/// after all others: a worker that has seen one could show it in the result of a case that its author may see.
std::vector<Group> group_cases(Cases& cases, const Config& config);

/// Checks all builds that have unknown cases, so that the budget is shared among cases that can pass.
void check_builds(const PlacedLab& lab, Cases& cases, Sessions& sessions, Recorder& recorder);

/// Checks, times, compares and records groups, one after the other.
class GroupRunner {
 public:
  GroupRunner(const PlacedLab& lab, Cases& cases, Sessions& sessions, MachineLimits& limits, const Budget& budget,
              Recorder& recorder)
      : lab_(lab),
        cases_(cases),
        sessions_(sessions),
        limits_(limits),
        budget_(budget),
        recorder_(recorder),
        idle_(lab) {}

  Done run(const Group& group);

 private:
  bool check(CaseState& state, double max_s);
  Tried<Unit> check_near(CaseState& state, double max_s);
  Done time(std::vector<TimedCase>& timed, double max_s);
  void warn_of_budget();
  void compare(const Group& group);
  void finish(CaseState& state, Note why);
  /// Notes what the variant printed. For a failed case that is all that its last process printed, because it may tell why. Else only
  /// what is new.
  void note_printed(CaseState& state);

  const PlacedLab& lab_;
  Cases& cases_;
  Sessions& sessions_;
  MachineLimits& limits_;
  const Budget& budget_;
  Recorder& recorder_;
  IdleControl idle_;
  bool warned_ = false;  // that the budget is too short
};

}  // namespace harness
