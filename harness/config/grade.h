// `grade:` of a lab's YAML: the rules that turn a run into points.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/base/enums.h"
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

struct Threshold {
  double value = 0, points = 0;
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
  std::vector<std::string> without;  // clean: kinds of diagnostics; empty: all mistakes
  Position position;
};

struct GradeRules {
  std::vector<Rule> rules;
  std::string version;  // hash of `grade:`

  double points() const;
  /// The variants that students hand in, in the order of the rules.
  std::vector<std::string> submitted() const;
};

}  // namespace harness
