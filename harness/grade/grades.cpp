#include "harness/grade/grades.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/base/text.h"
#include "harness/store/json_text.h"

namespace harness {

std::optional<Grades> grades_from_json(const nlohmann::ordered_json& json);  // grades_fields.cpp

namespace {

// RFC 4180. A field that begins like a formula gets an apostrophe, because spreadsheets would compute it.
std::string csv_field(std::string text) {
  if (!text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos) text.insert(0, "'");
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string to_csv(const Grades& grades) {
  std::string text = "id,name,status,earned,of,open,factor";
  for (const RuleSummary& rule : grades.rules) text += "," + csv_field(rule.name);
  text += ",run,reason\n";
  for (const StudentGrade& s : grades.students) {
    text += fmt::format("{},{},{},", csv_field(s.id), csv_field(s.name), to_string(s.status));
    // A student without a decision has no points, which is not the same as 0 points.
    const bool decided = info(s.status).has_points;
    text += decided ? fmt::format("{},{},{}", s.earned, s.of, s.open) : fmt::format(",{},", s.of);
    text += fmt::format(",{}", s.factor);
    for (const RuleSummary& rule : grades.rules) {
      text += ",";
      for (const Award& award : s.rules)
        if (decided && award.rule == rule.name) text += fmt::format("{}", award.earned);
    }
    text += fmt::format(",{},{}\n", s.run, csv_field(printable(s.reason, 300)));
  }
  return text;
}

}  // namespace

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
        fmt::format("{}: is damaged or no file of grades; move it away and grade again: finished cases are "
                    "kept",
                    file.string())};
  return grades;
}

Done write_grades(const fs::path& folder, const Grades& grades) {
  TRY(make_folders(folder));
  TRY(write_file(folder / "grades.json", to_page(to_json(grades)) + "\n"));
  return write_file(folder / "grades.csv", to_csv(grades));
}

Error no_rules(const Config& config) {
  return {
      fmt::format("{}: has no key \"grade\", so nothing gives points; add for example grade: {{rules: [{{name: "
                  "right, rule: correct, variant: cpu_avx, points: 10}}]}}",
                  config.path)};
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
