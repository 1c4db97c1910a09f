#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/config/metric_table.h"
#include "harness/config/read.h"

namespace harness {
namespace {

using Columns = std::vector<std::pair<std::string, std::string>>;

Columns read_columns(const Yaml* map) {
  Columns columns;
  if (map)
    for (size_t i = 0; i < map->keys.size(); ++i) columns.emplace_back(map->keys[i].text, map->items[i].text);
  return columns;
}

double to_ms(const std::string& unit) { return unit == "s" ? 1e3 : unit == "us" ? 1e-3 : unit == "ns" ? 1e-6 : 1; }

void read_values(const Yaml& map, Published& published, Problems& problems) {
  for (size_t i = 0; i < map.keys.size(); ++i) {
    const std::string& column = map.keys[i].text;
    const Yaml& value = map.items[i];
    if (value.kind == Yaml::Kind::scalar) {
      published.values.emplace_back(column, value.text);
      continue;
    }
    const std::string& metric = value.find("metric")->text;
    const Yaml& unit = *value.find("unit");
    published.values.emplace_back(column, metric);
    published.factors.emplace_back(column, to_ms(unit.text));
    if (const MetricInfo& info = *find_metric(metric); info.unit != "ms")
      problems.add(unit.position, fmt::format("\"{}\" is no time: leave out \"unit\", and give the figures {}", metric,
                                              info.unit.empty() ? "as they are" : fmt::format("in {}", info.unit)));
  }
}

std::vector<std::string> axes_of(const std::vector<Sweep>& sweeps, const std::string& only) {
  std::vector<std::string> axes;
  for (const Sweep& sweep : sweeps)
    if (only.empty() || sweep.name == only)
      for (std::string& axis : axis_names(sweep)) axes.push_back(std::move(axis));
  return axes;
}

void check_axes(const Yaml& map, const std::vector<std::string>& known, Problems& problems) {
  for (const Yaml& axis : map.items)
    if (!contains(known, axis.text))
      problems.add(axis.position,
                   fmt::format("no sweep has the axis \"{}\"{}", axis.text, suggest(axis.text, known, "there are")));
}

}  // namespace

Published read_published(const Yaml& node, const std::vector<Sweep>& sweeps, Problems& problems) {
  Published published;
  published.position = node.position;
  if (node.kind == Yaml::Kind::scalar) {
    published.file = node.text;
    published.axes_by_name = axes_of(sweeps, "");
    return published;
  }
  published.file = text_or(node, "file", "");
  published.sweep = text_or(node, "sweep", "");
  published.machine = text_or(node, "machine", "");
  published.note = text_or(node, "note", "");
  published.axes = read_columns(node.find("axes"));
  published.variants = read_columns(node.find("variants"));
  if (const Yaml* values = node.find("values")) read_values(*values, published, problems);
  if (const Yaml* where = node.find("where"))
    for (size_t i = 0; i < where->keys.size(); ++i)
      published.where.emplace_back(where->keys[i].text, words(&where->items[i]));

  std::vector<std::string> names;
  for (const Sweep& sweep : sweeps) names.push_back(sweep.name);
  if (!published.sweep.empty() && !contains(names, published.sweep)) {
    problems.add(node.find("sweep")->position,
                 fmt::format("unknown sweep \"{}\"{}", published.sweep, suggest(published.sweep, names, "there are")));
    return published;
  }
  std::vector<std::string> axes = axes_of(sweeps, published.sweep);
  if (published.axes.empty() && published.values.empty()) published.axes_by_name = axes;
  axes.insert(axes.begin(), {"variant", "dtype"});
  if (const Yaml* map = node.find("axes")) check_axes(*map, axes, problems);
  return published;
}

RecordedBaseline read_recorded_baseline(const Yaml& node, const std::vector<Sweep>& sweeps, Problems& problems) {
  RecordedBaseline recorded;
  recorded.position = node.position;
  recorded.file = text_or(node, "file", "");
  recorded.value = text_or(node, "value", "");
  recorded.to_ms = to_ms(text_or(node, "unit", "ms"));
  recorded.source = text_or(node, "source", "");
  recorded.axes = read_columns(node.find("axes"));
  check_axes(*node.find("axes"), axes_of(sweeps, ""), problems);
  if (recorded.axes.empty()) problems.add(node.find("axes")->position, "\"axes\" must not be empty");
  return recorded;
}

}  // namespace harness
