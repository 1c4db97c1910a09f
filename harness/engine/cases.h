// The cases of a run and the builds that they need.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/check.h"
#include "harness/client/client.h"
#include "harness/engine/decide.h"
#include "harness/engine/lab.h"
#include "harness/store/records.h"

namespace harness {

/// A variant with its macros. It is compiled once and checked once, and one worker runs it.
struct Build {
  const VariantInfo* variant = nullptr;
  Axes macros;
  Dtype dtype = Dtype::f32;
  int threads = 1;
  Precision precision;  // that the variant declares
  // Both come from the cases that students see. Else the limits of a process or a message of the check would tell of hidden cases.
  int64_t largest_bytes = 0;  // of all buffers of one problem
  Axes scalars;               // alpha, beta and such of the first case, for the check
  BuildResult result;
  std::vector<std::string> warnings;  // of the compiler, the first ones

  // From its worker and its check, before its first case is timed.
  Opened opened;
  std::optional<CheckRecord> check;
  std::optional<Failure> failed;
  std::vector<Diagnostic> diagnostics;  // of the emulated device
  /// What the emulated device showed of a problem. Several cases can be reduced to one problem.
  struct Emulated {
    std::optional<Failure> failed;
    std::optional<CheckLine> line;
    std::vector<Diagnostic> diagnostics;
  };
  std::map<std::string, Emulated> emulated;  // by the label of the problem
  std::map<std::string, Tried<CheckLine>> neighbours;  // what the check near a problem gave, by the label of that problem
  bool killed_once = false;             // out of memory while it was checked

  // The rate seen last, and the size of that problem: from these the time of the next case is estimated.
  double flops_per_s = 0, rate_flops = 0;
  void note_speed(double flops, double seconds) {
    if (seconds <= 0) return;
    flops_per_s = flops / seconds;
    rate_flops = flops;
  }
};

struct CaseState {
  const Case* plan = nullptr;
  Build* build = nullptr;  // null: it cannot run here
  int64_t largest_bytes = 0;  // of all buffers of one problem
  Evidence evidence;
  CaseRecord record;
  bool known = false;     // an earlier run has measured the same content
  std::optional<CaseRecord> planned;  // if it is known and may be timed again: its record before that of the earlier run
  bool recorded = false;  // its record is in the store
  double near_flops = 0;  // up to this size problems near it were checked

  /// Its times say nothing.
  void fail(const Failure& failure);

  /// Decides the case. Status and reason of its record are written here and nowhere else.
  void conclude();
};

struct Cases {
  std::vector<std::unique_ptr<Build>> builds;
  std::vector<CaseState> all;

  size_t recorded() const;
};

/// One state for each case of the plan, and a build for those that can run here. The others are SKIPPED with the
/// reason.
Result<Cases> select_cases(const PlacedLab& lab);

/// Why a build that compiled does not run here, or nothing.
std::optional<std::string> why_not_run(const PlacedLab& lab, const Build& build);
/// True if the build compiled and this machine can run it.
bool can_run(const PlacedLab& lab, const Build& build);
/// True if the case is still to be timed.
bool to_time(const PlacedLab& lab, const CaseState& state);

}  // namespace harness
