#include "harness/grade/tables.h"

#include <fmt/format.h>

#include "harness/base/files.h"
#include "harness/base/text.h"
#include "harness/config/scalars.h"
#include "harness/tables/csv.h"

namespace harness {
namespace {

Result<Csv> read_csv(const std::string& file) {
  TRY_ASSIGN(const std::string text, read_file(file));
  return parse_csv(composed(text), file);
}

/// The line of each id. An id may be there once.
Result<size_t> id_column(const Csv& csv) {
  TRY_ASSIGN(const size_t column, csv.column("id"));
  std::map<std::string, size_t> lines;
  for (const CsvRow& row : csv.rows) {
    const std::string& id = row.fields[column];
    if (id.empty()) return Error{fmt::format("{}:{}: the column \"id\" is empty", csv.file, row.line)};
    if (const auto [first, is_new] = lines.emplace(id, row.line); !is_new)
      return Error{fmt::format("{}:{}: the id \"{}\" is on line {} already", csv.file, row.line, id, first->second)};
  }
  return column;
}

}  // namespace

Result<std::vector<RosterRow>> read_roster(const std::string& file) {
  const std::vector<std::string> roster_columns = {"id",        "name",     "submission", "factor",
                                                   "submitted", "deadline", "extension"};
  TRY_ASSIGN(const Csv csv, read_csv(file));
  TRY_ASSIGN(const size_t id, id_column(csv));
  for (const std::string& name : csv.names)
    if (!contains(roster_columns, name))
      return Error{fmt::format("{}:1: unknown column \"{}\"{}", file, name, did_you_mean(name, roster_columns))};
  const auto name = csv.find("name"), submission = csv.find("submission"), factor = csv.find("factor");
  std::vector<RosterRow> rows;
  for (const CsvRow& row : csv.rows) {
    RosterRow student{
        row.fields[id], name ? row.fields[*name] : "", submission ? row.fields[*submission] : "", 1, {}, {}, 0};
    if (factor && !row.fields[*factor].empty()) {
      TRY_ASSIGN(student.factor, csv.number(row, *factor));
      if (student.factor < 0 || student.factor > 1)
        return Error{fmt::format("{}:{}: the factor {} is not between 0 and 1", file, row.line, student.factor)};
    }
    for (auto* time : {&student.submitted_s, &student.deadline_s}) {
      const std::string column = time == &student.submitted_s ? "submitted" : "deadline";
      const auto at = csv.find(column);
      if (!at || row.fields[*at].empty()) continue;
      *time = parse_time(row.fields[*at]);
      if (!*time)
        return Error{fmt::format("{}:{}: \"{}\" in column \"{}\" is not a time such as 2026-11-20T23:59+01:00", file,
                                 row.line, row.fields[*at], column)};
    }
    if (const auto at = csv.find("extension"); at && !row.fields[*at].empty()) {
      const auto extension = parse_duration(row.fields[*at]);
      if (!extension)
        return Error{fmt::format("{}:{}: \"{}\" in column \"extension\" is not a time such as 48h", file, row.line,
                                 row.fields[*at])};
      student.extension_s = *extension;
    }
    if (student.name.empty()) student.name = student.id;
    if (student.submission.empty()) student.submission = student.id;
    for (const RosterRow& other : rows)
      if (other.submission == student.submission)
        return Error{fmt::format("{}:{}: \"{}\" and \"{}\" have the same submission \"{}\"", file, row.line, other.id,
                                 student.id, student.submission)};
    rows.push_back(std::move(student));
  }
  if (rows.empty()) return Error{fmt::format("{}: has no students", file)};
  return rows;
}

Result<std::map<std::string, MarkChanges>> read_marks(const std::string& file, const GradeRules& grade) {
  TRY_ASSIGN(const Csv csv, read_csv(file));
  TRY_ASSIGN(const size_t id, id_column(csv));
  std::vector<std::string> known;
  for (const Rule& rule : grade.rules) known.push_back(rule.name);
  for (const std::string& name : csv.names)
    if (name != "id" && name != "name" && !contains(known, name))
      return Error{fmt::format("{}:1: no rule has the name \"{}\"{}", file, name, did_you_mean(name, known))};
  std::map<std::string, MarkChanges> marks;
  for (const CsvRow& row : csv.rows)
    for (const Rule& rule : grade.rules) {
      const auto column = csv.find(rule.name);
      if (!column || row.fields[*column].empty()) continue;
      MarkChanges& changes = marks[row.fields[id]];
      if (row.fields[*column] == "-") {
        changes.emplace_back(rule.name, std::nullopt);
        continue;
      }
      TRY_ASSIGN(const double points, csv.number(row, *column));
      if (points < 0 || points > rule.points)
        return Error{fmt::format("{}:{}: {} points for \"{}\", which gives from 0 to {}", file, row.line, points,
                                 rule.name, rule.points)};
      changes.emplace_back(rule.name, points);
    }
  return marks;
}

}  // namespace harness
