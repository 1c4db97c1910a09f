#include "harness/tables/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/base/text.h"
#include "harness/config/metric_table.h"
#include "harness/config/scalars.h"
#include "harness/tables/csv.h"

namespace harness {
namespace {

template <class Second>
const Second* lookup(const std::vector<std::pair<std::string, Second>>& pairs, const std::string& name) {
  for (const auto& [first, second] : pairs)
    if (first == name) return &second;
  return nullptr;
}

Value axis_value(const std::string& text) {
  const auto value = parse_real(text);
  if (!value) return text;
  constexpr double exact = 9007199254740992;  // 2^53
  if (std::abs(*value) <= exact && std::trunc(*value) == *value) return static_cast<int64_t>(*value);
  return *value;
}

std::vector<std::string> fields_of(const Csv& csv, size_t column) {
  std::vector<std::string> seen;
  for (const CsvRow& row : csv.rows)
    if (!contains(seen, row.fields[column])) seen.push_back(row.fields[column]);
  return seen;
}

// Keeps the rows that `where` selects. A value that no row has is a mistake in the config.
Done select_rows(Csv& csv, const Published& spec) {
  for (const auto& [name, wanted] : spec.where) {
    TRY_ASSIGN(const size_t at, csv.column(name));
    const auto known = fields_of(csv, at);
    for (const std::string& field : wanted)
      if (!contains(known, field)) {
        const std::string suggestion = did_you_mean(field, known);
        return Error{fmt::format("{}: no row with {}={}{}", csv.file, name, field,
                                 suggestion.empty() ? "; there is " + join(known, ", ") : suggestion)};
      }
    std::erase_if(csv.rows, [at, &fields = wanted](const CsvRow& row) { return !contains(fields, row.fields[at]); });
  }
  if (csv.rows.empty() && !spec.where.empty())
    return Error{fmt::format("{}: no row fulfils all of \"where\"", csv.file)};
  return ok();
}

// A column with the name of an axis or a metric holds its values.
Done map_by_name(const Csv& csv, Published& spec) {
  std::vector<std::string> taken;
  for (const std::string& name : csv.names) {
    if (contains(spec.axes_by_name, name))
      spec.axes.emplace_back(name, name);
    else if (find_metric(name))
      spec.values.emplace_back(name, name);
    else
      continue;
    taken.push_back(name);
  }
  if (spec.values.empty())
    return Error{fmt::format("{}:1: no column is named like a metric; say what they hold under \"values\"", csv.file)};
  const std::string said = "columns taken by their names: " + join(taken, ", ");
  spec.note = spec.note.empty() ? said : spec.note + "; " + said;
  return ok();
}

}  // namespace

Result<PublishedFile> parse_published(const std::string& text, const Published& given) {
  Published spec = given;
  TRY_ASSIGN(Csv csv, parse_csv(text, spec.file));
  if (!spec.axes_by_name.empty()) TRY(map_by_name(csv, spec));
  TRY_ASSIGN(const size_t variant, csv.column("variant"));
  const auto dtype = csv.find("dtype");
  const auto printed = fields_of(csv, variant);
  for (const auto& [name, ours] : spec.variants)
    if (!contains(printed, name))
      return Error{fmt::format("{}: no row of variant \"{}\"{}", csv.file, name, did_you_mean(name, printed))};
  TRY(select_rows(csv, spec));
  std::vector<PublishedRow> rows;
  std::vector<std::pair<size_t, std::string>> axes, values;
  for (const auto& [from, axis] : spec.axes) {
    TRY_ASSIGN(const size_t at, csv.column(from));
    axes.emplace_back(at, axis);
  }
  for (const auto& [from, metric] : spec.values) {
    TRY_ASSIGN(const size_t at, csv.column(from));
    values.emplace_back(at, metric);
  }
  std::map<std::string, size_t> lines;
  for (const CsvRow& row : csv.rows) {
    const std::string* ours = lookup(spec.variants, row.fields[variant]);
    PublishedRow out{ours ? *ours : row.fields[variant], dtype ? row.fields[*dtype] : "", {}, {}};
    // An empty field: no such axis there, or nothing printed.
    for (const auto& [at, axis] : axes)
      if (!row.fields[at].empty()) out.axes.emplace_back(axis, axis_value(row.fields[at]));
    for (const auto& [at, metric] : values) {
      if (row.fields[at].empty()) continue;
      TRY_ASSIGN(const double value, csv.number(row, at));
      if (value < 0)
        return Error{fmt::format("{}:{}: \"{}\" in column \"{}\" must not be negative", csv.file, row.line,
                                 row.fields[at], csv.names[at])};
      const double* factor = lookup(spec.factors, csv.names[at]);
      out.values.emplace_back(metric, factor ? value * *factor : value);
    }
    const std::string key = fmt::format("{} {} {}", out.variant, out.dtype, to_string(out.axes));
    const auto [first, is_new] = lines.emplace(key, row.line);
    if (!is_new)
      return Error{fmt::format("{}:{}: a second row for {} {} (the first is on line {}); keep one", csv.file, row.line,
                               out.variant, to_string(out.axes), first->second)};
    rows.push_back(std::move(out));
  }
  return PublishedFile{spec.file, spec.machine, spec.sweep, spec.note, std::move(rows)};
}

Result<std::vector<PublishedFile>> read_published(const Config& config) {
  std::vector<PublishedFile> all;
  for (const Published& spec : config.published) {
    const auto text = read_file(beside(config, spec.file));
    if (!text) return Error{fmt::format("{}: {}", to_string(spec.position), text.error().message)};
    TRY_ASSIGN(PublishedFile table, parse_published(*text, spec));
    all.push_back(std::move(table));
  }
  return all;
}

}  // namespace harness
