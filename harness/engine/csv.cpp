#include "harness/engine/csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/config/scalars.h"

namespace harness {

std::optional<size_t> Csv::find(const std::string& name) const {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) return std::nullopt;
  return static_cast<size_t>(at - names.begin());
}

Result<size_t> Csv::column(const std::string& name) const {
  if (const auto at = find(name)) return *at;
  return Error{fmt::format("{}:1: no column \"{}\"{}", file, name, did_you_mean(name, names))};
}

Result<double> Csv::number(const CsvRow& row, size_t column) const {
  if (const auto value = parse_real(row.fields[column])) return *value;
  return Error{
      fmt::format("{}:{}: \"{}\" in column \"{}\" is not a number", file, row.line, row.fields[column], names[column])};
}

Result<Csv> parse_csv(const std::string& text, const std::string& file) {
  const std::vector<std::string> lines = split(text, '\n');
  Csv csv{file, split(trim(lines.front()), ','), {}};
  for (size_t i = 1; i < lines.size(); ++i) {
    const std::string_view line = trim(lines[i]);
    if (line.empty()) continue;
    csv.rows.push_back({i + 1, split(line, ',')});
    if (const size_t fields = csv.rows.back().fields.size(); fields != csv.names.size())
      return Error{fmt::format("{}:{}: {} fields where the first line has {}", file, i + 1, fields, csv.names.size())};
  }
  return csv;
}

}  // namespace harness
