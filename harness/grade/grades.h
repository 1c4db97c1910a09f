// grades.json: the points of a class (grades_fields.cpp describes it). Gradebooks, feedback and pages are made from it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/files.h"
#include "harness/grade/points.h"
#include "harness/grade/student_status.h"
#include "harness/store/run_record.h"

namespace harness {

struct SubmittedFiles {
  std::vector<std::string> graded;   // sources of variants that rules name
  std::vector<std::string> missing;  // variants that rules name
  std::vector<std::string> extra;    // sources that were not built
  std::string hash;                  // of names and contents
  std::string folder;                // with the files as the compiler saw them
  std::string source;                // the folder that the student put them into; empty: they came in an archive
};

struct StudentGrade {
  std::string id, name, submission;
  StudentStatus status = StudentStatus::PENDING;
  std::string reason;
  SubmittedFiles files;
  std::string key;  // hash of all that decides the run
  std::string run, run_folder;
  double seconds = 0;
  std::string late;   // empty: in time
  double factor = 1;  // earned and open points are multiplied with it
  double earned = 0, of = 0, open = 0;
  Marks marks;
  std::vector<Award> rules;
};

struct RuleSummary {
  std::string name, kind, variant, about;
  double points = 0;
  bool hidden = false;
};

struct GradeInfo {
  std::string lab, title, config, rules_version, intake_version;
  std::string started, finished;  // the class command sets them
  ProgramVersion harness;
  std::string config_version;
};

struct Grades {
  std::string schema = "harness-grade/1";
  GradeInfo grading;
  double of = 0;
  std::vector<RuleSummary> rules;
  std::vector<StudentGrade> students;
  std::vector<std::string> remarks;  // what a teacher should know: folders of nobody, extra files
};

nlohmann::ordered_json to_json(const Grades& grades);
/// The JSON Schema of grades.json.
nlohmann::ordered_json grades_schema();
/// Nothing if there is no such file. An error if it is of another version, or damaged.
Result<std::optional<Grades>> read_grades(const fs::path& file);
/// Writes grades.json into the folder.
Done write_grades(const fs::path& folder, const Grades& grades);

/// The error where points are wanted: the config has no rules, or some that are wrong.
Done check_graded(const Config& config);
/// A config with rules.
Result<Config> load_graded(const std::string& path, const std::string& rules_file = "");

/// What the file says of the rules.
std::vector<RuleSummary> summaries(const GradeRules& grade);
/// Puts the points into the record of the student.
void set_points(StudentGrade& student, AwardedPoints points);

}  // namespace harness
