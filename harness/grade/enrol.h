// Who is graded, and by what.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/grade/grade_class.h"
#include "harness/grade/tables.h"

namespace harness {

/// What is the same for all students.
struct Class {
  ClassOptions options;
  Config config;
  fs::path results, folder, labs;
  std::vector<std::string> wanted;      // the variants that students hand in
  std::vector<std::string> compared;    // variants of the lab that those are compared with
  std::vector<std::string> lab_variants;
  std::map<std::string, MarkChanges> marks;
  std::string key;  // hash of all that decides a run, except the submission
};

Result<Class> open_class(const ClassOptions& options);

/// Adds a remark for each mark of somebody who is no student of the class.
void remark_unknown_marks(const Class& c, Grades& grades);

/// The students of the class, without points.
Result<Grades> enrol(const Class& c);

}  // namespace harness
