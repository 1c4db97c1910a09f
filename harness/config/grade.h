// `grade:` of a lab's YAML: the rules that turn a run into points.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/enums.h"
#include "harness/config/claim.h"
#include "harness/config/metric_table.h"
#include "harness/config/position.h"
#include "harness/kernel/value.h"

namespace harness {

/// How points go from one threshold to the next.
enum class Between { steps, linear };
template <>
struct Spelling<Between> {
  static constexpr std::string_view words[] = {"steps", "linear"};
};

/// Which of the cases of a speed rule counts.
enum class Across { mean, best, worst };
template <>
struct Spelling<Across> {
  static constexpr std::string_view words[] = {"mean", "best", "worst"};
};

enum class Credit { share, all };
template <>
struct Spelling<Credit> {
  static constexpr std::string_view words[] = {"share", "all"};
};

/// What becomes of the files of a submission.
enum class MissingFiles { no_points, refuse };
template <>
struct Spelling<MissingFiles> {
  static constexpr std::string_view words[] = {"no_points", "refuse"};
};
enum class MisnamedFiles { no_points, accept };
template <>
struct Spelling<MisnamedFiles> {
  static constexpr std::string_view words[] = {"no_points", "accept"};
};
enum class ExtraFiles { ignore, refuse };
template <>
struct Spelling<ExtraFiles> {
  static constexpr std::string_view words[] = {"ignore", "refuse"};
};
enum class DuplicateFiles { refuse, first };
template <>
struct Spelling<DuplicateFiles> {
  static constexpr std::string_view words[] = {"refuse", "first"};
};
struct FilePolicy {
  MissingFiles missing = MissingFiles::no_points;
  MisnamedFiles misnamed = MisnamedFiles::no_points;
  ExtraFiles extra = ExtraFiles::ignore;
  DuplicateFiles duplicate = DuplicateFiles::refuse;
};

/// Which of several submissions of a student counts.
enum class Attempts { last, best };
template <>
struct Spelling<Attempts> {
  static constexpr std::string_view words[] = {"last", "best"};
};

struct LatePolicy {
  std::string deadline;  // empty: the roster has it
  double grace_s = 0, per_day = 0;
  std::optional<double> cut_off_s;  // after the deadline; then there are no points
};

struct Threshold {
  double value = 0, points = 0;
};

/// A kind of diagnostic that must not be seen.
struct Unwanted {
  std::string diagnostic;
  double above = 0;  // advice may waste up to this factor
  bool operator==(const Unwanted&) const = default;
};

struct Rule {
  std::string name, kind, about;
  std::string variant;  // empty: the kind does not look at a variant
  std::string sweep;    // empty: every sweep
  std::vector<std::pair<std::string, std::vector<Value>>> where;
  double points = 0;  // the most that it can give
  bool hidden = false;
  Credit credit = Credit::share;
  MetricName metric = MetricName::speedup;
  std::string over;                   // speed: a ratio to this variant instead of a metric
  std::vector<Threshold> thresholds;  // from slow to fast
  Between between = Between::steps;
  Across across = Across::mean;
  std::vector<Unwanted> without;  // clean; empty: all mistakes
  std::optional<Claim> claim;
  Position position;

  /// Students see the results of the cases that it looks at. `builds` looks at no results.
  bool shows_results() const { return !hidden && kind != "builds"; }
  bool looks_at(const std::string& case_variant, const std::string& case_sweep, const Axes& case_axes) const;
};

struct GradeRules {
  std::vector<Rule> rules;
  std::string version;         // hash of `grade:`
  std::string intake_version;  // of all of it but the rules: what points alone cannot apply
  FilePolicy files;
  std::optional<LatePolicy> late;
  Attempts attempts = Attempts::last;
  bool sanitize = true;  // look at CPU variants with sanitizers, too

  double points() const;
  size_t hidden() const;  // rules that students do not see
  /// True for a case that a hidden rule looks at and no rule shows: students do not know its problem.
  bool hides(const std::string& variant, const std::string& sweep, const Axes& axes) const;
  /// The variants that students hand in, in the order of the rules.
  std::vector<std::string> submitted() const;
};

}  // namespace harness
