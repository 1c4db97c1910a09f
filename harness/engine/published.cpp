#include "harness/engine/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "harness/base/text.h"

namespace harness {
namespace {

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

nlohmann::json axis_value(const std::string& text) {
  const auto value = number(text);
  if (!value) return text;
  if (const auto whole = static_cast<int64_t>(*value); static_cast<double>(whole) == *value) return whole;
  return *value;
}

Result<size_t> column(const std::vector<std::string>& names, const std::string& name,
                      const std::string& file) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at != names.end()) return static_cast<size_t>(at - names.begin());
  return Error{fmt::format("{}:1: no column \"{}\"{}", file, name, did_you_mean(name, names))};
}

}  // namespace

Result<nlohmann::json> parse_published(const std::string& text, const Published& spec) {
  const std::vector<std::string> lines = split(text, '\n');
  const std::vector<std::string> names = split(trim(lines.front()), ',');
  TRY_ASSIGN(const size_t variant, column(names, "variant", spec.file));
  nlohmann::json rows = nlohmann::json::array();
  for (size_t i = 1; i < lines.size(); ++i) {
    const std::string_view line = trim(lines[i]);
    if (line.empty()) continue;
    const std::vector<std::string> fields = split(line, ',');
    if (fields.size() != names.size())
      return Error{fmt::format("{}:{}: {} fields where the first line has {}", spec.file, i + 1,
                               fields.size(), names.size())};
    nlohmann::json axes = nlohmann::json::object(), values = nlohmann::json::object();
    for (const auto& [from, axis] : spec.axes) {
      TRY_ASSIGN(const size_t at, column(names, from, spec.file));
      axes[axis] = axis_value(fields[at]);
    }
    for (const auto& [from, metric] : spec.values) {
      TRY_ASSIGN(const size_t at, column(names, from, spec.file));
      if (fields[at].empty()) continue;  // the report printed nothing there
      const auto value = number(fields[at]);
      if (!value)
        return Error{fmt::format("{}:{}: \"{}\" in column \"{}\" is not a number", spec.file, i + 1,
                                 fields[at], from)};
      values[metric] = *value;
    }
    rows.push_back({{"variant", fields[variant]}, {"axes", axes}, {"values", values}});
    const auto dtype = std::find(names.begin(), names.end(), "dtype");
    if (dtype != names.end()) rows.back()["dtype"] = fields[static_cast<size_t>(dtype - names.begin())];
  }
  return rows;
}

Result<nlohmann::json> read_published(const Context& context) {
  nlohmann::json all = nlohmann::json::array();
  for (const Published& spec : context.config.published) {
    const auto text = read_file(context.root / spec.file);
    if (!text) return Error{fmt::format("{}: {}", to_string(spec.place), text.error().message)};
    TRY_ASSIGN(const nlohmann::json rows, parse_published(*text, spec));
    all.push_back({{"file", spec.file}, {"machine", spec.machine}, {"sweep", spec.sweep}, {"rows", rows}});
  }
  return all;
}

}  // namespace harness
