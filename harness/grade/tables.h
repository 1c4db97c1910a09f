// Tables that a teacher gives: the roster of the class and the marks of a person.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/grade/points.h"

namespace harness {

struct RosterRow {
  std::string id, name, submission;                // submission: name of the folder or file; empty: the id
  double factor = 1;                               // of the points
  std::optional<int64_t> submitted_s, deadline_s;  // since 1970
  double extension_s = 0;
};

/// Columns id, and optionally name, submission, factor, submitted, deadline and extension.
Result<std::vector<RosterRow>> read_roster(const std::string& file);

/// By rule. Nothing: the older mark is taken back.
using MarkChanges = std::vector<std::pair<std::string, std::optional<double>>>;

/// Columns id and one per rule. An empty field changes nothing, and "-" takes a mark back.
Result<std::map<std::string, MarkChanges>> read_marks(const std::string& file, const GradeRules& grade);

}  // namespace harness
