#include "harness/tables/csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/config/scalars.h"

namespace harness {

std::optional<size_t> Csv::find(const std::string& name) const {
  const auto at = std::ranges::find(names, name);
  if (at == names.end()) return std::nullopt;
  return static_cast<size_t>(at - names.begin());
}

Result<size_t> Csv::column(const std::string& name) const {
  if (const auto at = find(name)) return *at;
  return Error{fmt::format("{}:1: no column \"{}\"{}", file, name, did_you_mean(name, names))};
}

Result<double> Csv::number(const CsvRow& row, size_t column) const {
  if (const auto value = parse_real(row.fields[column])) return *value + 0.0;  // -0 is 0
  return Error{
      fmt::format("{}:{}: \"{}\" in column \"{}\" is not a number", file, row.line, row.fields[column], names[column])};
}

namespace {

/// A field may be in quotes, with "" for a quote (RFC 4180); it ends on its line. Nothing if a quote is not closed, or
/// is inside a field.
std::optional<std::vector<std::string>> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (;;) {
    line = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    const bool quoted = starts_with(line, "\"");
    std::string field;
    if (quoted) {
      size_t at = 1;
      for (; at < line.size() && (line[at] != '"' || line.substr(at, 2) == "\"\""); ++at) {
        field += line[at];
        at += line[at] == '"';
      }
      if (at >= line.size()) return std::nullopt;
      line = line.substr(at + 1);
    }
    const size_t comma = std::min(line.find(','), line.size());
    const std::string_view plain = trim(line.substr(0, comma));
    if (plain.find('"') != std::string_view::npos || (quoted && !plain.empty())) return std::nullopt;
    fields.push_back(quoted ? std::move(field) : std::string(plain));
    if (comma == line.size()) return fields;
    line = line.substr(comma + 1);
  }
}

}  // namespace

Result<Csv> parse_csv(const std::string& text, const std::string& file) {
  std::vector<std::string> lines = split(text, '\n');
  for (size_t i = 0; i < lines.size(); ++i)
    if (lines[i].find('\0') != std::string::npos || !is_utf8(lines[i]))
      return Error{fmt::format("{}:{}: not UTF-8 text; save the file as UTF-8", file, i + 1)};
  if (starts_with(lines.front(), "\xef\xbb\xbf")) lines.front().erase(0, 3);
  const auto bad_quotes = [&](size_t line) {
    return Error{
        fmt::format("{}:{}: a quote that is not closed, or is inside a field; write a quote in a quoted field "
                    "twice",
                    file, line)};
  };
  auto names = fields_of(trim(lines.front()));
  if (!names) return bad_quotes(1);
  Csv csv{file, *std::move(names), {}};
  if (csv.names.size() == 1 && csv.names[0].find_first_of(";\t") != std::string::npos)
    return Error{fmt::format("{}:1: separate the fields with commas", file)};
  for (auto name = csv.names.begin(); name != csv.names.end(); ++name)
    if (std::find(csv.names.begin(), name, *name) != name)
      return Error{fmt::format("{}:1: two columns \"{}\"; keep one", file, *name)};
  for (size_t i = 1; i < lines.size(); ++i) {
    const std::string_view line = trim(lines[i]);
    if (line.empty()) continue;
    auto fields = fields_of(line);
    if (!fields) return bad_quotes(i + 1);
    if (fields->size() != csv.names.size())
      return Error{fmt::format("{}:{}: {} fields where the first line has {}", file, i + 1, fields->size(),
                               csv.names.size())};
    csv.rows.push_back({i + 1, *std::move(fields)});
  }
  return csv;
}

}  // namespace harness
