// Points of one submission: what each rule gives for a run, and why. Nothing here runs, reads or writes anything, so
// rules can change after the fact.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/config/config.h"
#include "harness/store/run_record.h"

namespace harness {

/// What one rule gives.
struct Award {
  std::string rule, kind;
  bool hidden = false;
  double earned = 0, of = 0;
  double open = 0;  // not decided: a case could not run here, or a person has not given the points yet
  std::string why, next;
  std::vector<std::string> cases;  // ids of the cases that it looked at
};

struct AwardedPoints {
  double earned = 0, of = 0, open = 0;
  std::vector<Award> rules;
};

/// The points that people gave to one student, by rule.
using Marks = std::vector<std::pair<std::string, double>>;

/// What is known of one submission.
struct Work {
  const RunRecord* run = nullptr;    // null: nothing could be run
  std::vector<std::string> missing;  // variants that it should have and does not
  Marks marks;
  std::string refused;  // why nothing was run although there is a submission
};

/// Points are added up and shown with two digits.
double rounded(double points);

AwardedPoints award_points(const GradeRules& grade, const Work& work);

/// The cases that a rule looks at. Those of the lab's own variants do not count as the student's.
std::vector<const CaseRecord*> cases_of(const Rule& rule, const std::vector<CaseRecord>& cases);

/// Mistakes that a config alone does not show: rules that count twice, names of diagnostics.
Done check_rules(const Config& config);

}  // namespace harness
