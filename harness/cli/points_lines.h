// Points as a person reads them on a terminal.
#pragma once

#include <string>
#include <vector>

#include "harness/grade/points.h"
#include "harness/store/records.h"

namespace harness {

/// A line per visible rule, with the reason and what to look at next, and the sum.
std::string points_lines(const AwardedPoints& points);

/// What each rule can give, and the cases that it looks at.
std::string rules_lines(const GradeRules& grade, const std::vector<CaseRecord>& cases);

}  // namespace harness
