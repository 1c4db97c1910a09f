#include "harness/grade/grades.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "harness/base/text.h"
#include "harness/store/json_text.h"

namespace harness {
namespace {

/// A person may have edited the file. The roster has the same rules.
Done check_students(const Grades& grades, const fs::path& file) {
  std::set<std::string_view> ids;
  for (const StudentGrade& student : grades.students) {
    const std::string id = printable(student.id, 200);
    if (!ids.insert(student.id).second)
      return Error{
          fmt::format("{}: the student \"{}\" is in it twice; correct it, or move the file away and grade again: "
                      "finished cases are kept",
                      file.string(), id)};
    if (student.factor < 0 || student.factor > 1)
      return Error{
          fmt::format("{}: student \"{}\": the factor {} is not between 0 and 1; correct it, or move the file away and "
                      "grade again: finished cases are kept",
                      file.string(), id, student.factor)};
  }
  return ok();
}

}  // namespace

std::optional<Grades> grades_from_json(const nlohmann::ordered_json& json);  // grades_fields.cpp

Result<std::optional<Grades>> read_grades(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) return std::optional<Grades>();
  TRY_ASSIGN(const std::string text, read_file(file));
  const auto json = json_from_text(text);
  const bool says = json && json->is_object() && json->contains("schema") && json->at("schema").is_string();
  const std::string version = says ? json->at("schema").get<std::string>() : "";
  if (!version.empty() && version != Grades{}.schema)
    return Error{
        fmt::format("{}: is of version \"{}\", and this harness reads {}; use the harness that wrote it, or "
                    "move the file away",
                    file.string(), printable(version, 40), Grades{}.schema)};
  auto grades = json ? grades_from_json(*json) : std::nullopt;
  if (!grades)
    return Error{
        fmt::format("{}{}: is damaged or no file of grades; move it away and grade again: finished cases are "
                    "kept",
                    file.string(), json ? "" : json_error_position(text))};
  TRY(check_students(*grades, file));
  return grades;
}

Done write_grades(const fs::path& folder, const Grades& grades) {
  TRY(make_folders(folder));
  return write_file(folder / "grades.json", to_page(to_json(grades)) + "\n");
}

Done check_graded(const Config& config) {
  if (config.grade) return check_rules(config);
  return Error{
      fmt::format("{}: has no key \"grade\", so nothing gives points; add for example grade: {{rules: [{{name: "
                  "right, rule: correct, variant: cpu_avx, points: 10}}]}}",
                  config.path)};
}

Result<Config> load_graded(const std::string& path, const std::string& rules_file) {
  TRY_ASSIGN(Config config, load_config(path, rules_file));
  TRY(check_graded(config));
  return config;
}

std::vector<RuleSummary> summaries(const GradeRules& grade) {
  std::vector<RuleSummary> all;
  for (const Rule& rule : grade.rules)
    all.push_back({rule.name, rule.kind, rule.variant, rule.about, rule.points, rule.hidden});
  return all;
}

void set_points(StudentGrade& student, AwardedPoints points) {
  student.earned = rounded(points.earned * student.factor);
  student.of = points.of;
  student.open = rounded(points.open * student.factor);
  student.rules = std::move(points.rules);
}

}  // namespace harness
