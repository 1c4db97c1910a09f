// What `harness run` was asked to do.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/base/enums.h"
#include "harness/base/files.h"
#include "harness/engine/device_options.h"
#include "harness/plan/variants.h"

namespace harness {

/// What a run does with cases that an earlier run has measured. time_compared: it reuses them, but times the variants that the
/// rules compare with (compared_variants() in config.h) again, in turns with new cases.
enum class Known { reuse, time_compared, measure_again };
template <>
struct Spelling<Known> {
  static constexpr std::string_view words[] = {"reuse", "time_compared", "measure_again"};
};
/// What makes a run fail: a variant, or also a claim.
enum class FailOn { variants, claims };

struct RunOptions {
  std::string config;
  std::string rules;                   // a file whose rules replace `grade` of the config; empty: none
  fs::path root;                       // the folder with labs/; empty: the project
  std::set<std::string> only;          // ids of cases; empty: all of the plan
  fs::path results;                    // empty: results/ of the project
  std::optional<fs::path> submission;  // folder or file with a student's variants
  Links links = Links::inside;
  std::vector<std::string> submitted;  // the variants of the submission; empty: all of its sources
  Selection selection;
  std::vector<std::string> absent;    // variants that sweeps may name although no file has them
  std::vector<std::string> expected;  // variants that submissions will have: the config is checked as if they were there
  std::optional<double> budget_s;
  std::optional<double> longest_call_s;  // cases with longer calls are SKIPPED
  Known known = Known::reuse;
  FailOn fail_on = FailOn::variants;
  int jobs = 0;                   // compilers at the same time; 0: one per core
  std::string sandbox;            // empty: that of the config, or bwrap
  std::vector<std::string> wrap;  // a tool that starts workers: compute-sanitizer, ncu, valgrind
  std::string gpu_architecture;   // empty: that of the GPU
  DeviceOptions device;
  bool debugs = false;               // `wrap` is a debugger at this terminal: no time limits, no memory limits
  std::string sanitize;              // thread, address, undefined: CPU variants are only checked, with this sanitizer
  bool sanitize_submission = false;  // look at its CPU variants with sanitizers, beside the check
  bool render = true;                // false: only run.json, which `harness report` renders later
  std::vector<std::string> command;  // as typed, for the record
};

}  // namespace harness
