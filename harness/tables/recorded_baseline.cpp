#include "harness/tables/recorded_baseline.h"

#include <fmt/format.h>

#include "harness/config/scalars.h"
#include "harness/tables/csv.h"

namespace harness {

Result<RecordedTable> RecordedTable::parse(const std::string& text, const RecordedBaseline& spec) {
  RecordedTable table(spec);
  TRY_ASSIGN(const Csv csv, parse_csv(text, spec.file));
  TRY_ASSIGN(const size_t value, csv.column(spec.value));
  std::vector<size_t> axes;
  for (const auto& [column, axis] : spec.axes) {
    TRY_ASSIGN(const size_t at, csv.column(column));
    axes.push_back(at);
  }
  const auto dtype = csv.find("dtype");
  table.by_dtype_ = dtype.has_value();
  std::map<std::string, size_t> lines;
  for (const CsvRow& row : csv.rows) {
    TRY_ASSIGN(const double time, csv.number(row, value));
    if (time <= 0)
      return Error{fmt::format("{}:{}: \"{}\" in column \"{}\" is no time; it must be more than 0", csv.file, row.line,
                               row.fields[value], spec.value)};
    Axes point;
    for (size_t i = 0; i < axes.size(); ++i) point.emplace_back(spec.axes[i].second, parse_value(row.fields[axes[i]]));
    const std::string key = (dtype ? row.fields[*dtype] + " " : "") + to_string(point);
    const auto [first, is_new] = lines.emplace(key, row.line);
    if (!is_new)
      return Error{fmt::format("{}:{}: a second row for {} (the first is on line {}); keep one", csv.file, row.line,
                               key, first->second)};
    table.times_[key] = time * spec.to_ms;
  }
  if (table.times_.empty()) return Error{fmt::format("{}: has no rows", csv.file)};
  return table;
}

std::string RecordedTable::point_of(const CaseRecord& record) const {
  Axes point;
  for (const auto& [column, axis] : spec_.axes)
    if (const Value* value = find(record.axes, axis)) point.emplace_back(axis, *value);
  return (by_dtype_ ? std::string(to_string(record.dtype)) + " " : "") + to_string(point);
}

std::optional<double> RecordedTable::time_ms(const CaseRecord& record) const {
  const auto at = times_.find(point_of(record));
  return at == times_.end() ? std::nullopt : std::optional(at->second);
}

Result<std::optional<RecordedTable>> read_recorded_table(const Config& config) {
  if (!config.recorded) return std::optional<RecordedTable>();
  const RecordedBaseline& spec = *config.recorded;
  const auto text = read_file(beside(config, spec.file));
  if (!text) return Error{fmt::format("{}: {}", to_string(spec.position), text.error().message)};
  TRY_ASSIGN(RecordedTable table, RecordedTable::parse(*text, spec));
  return std::optional(std::move(table));
}

}  // namespace harness
