// report.exports: the columns of a file that other tools read.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/base/text.h"
#include "harness/config/metric_table.h"
#include "harness/config/read.h"
#include "harness/config/units.h"

namespace harness {
namespace {

using nlohmann::json;

/// A word: a metric, an axis of the sweep, or a property of every case.
json read_word(const Yaml& word, const Sweep& sweep, Problems& problems) {
  if (find_metric(word.text)) return {{"metric", word.text}};
  std::vector<std::string> known = axis_names(sweep);
  known.insert(known.end(), {"variant", "dtype", "device", "threads", "status"});
  if (contains(known, word.text)) return {{"axis", word.text}};
  const auto all = metric_names();
  known.insert(known.end(), all.begin(), all.end());
  problems.add(word.position, fmt::format("sweep \"{}\" has no axis or metric \"{}\"{}", sweep.name, word.text,
                                          suggest(word.text, known, "there are")));
  return json::object();
}

void read_unit(const Yaml& unit, const MetricInfo& metric, json& out, Problems& problems) {
  const auto scale = unit_scale(metric.unit, unit.text);
  if (!scale) {
    problems.add(unit.position, fmt::format("metric \"{}\" has no unit \"{}\"{}", metric.name, unit.text,
                                            suggest(unit.text, units_like(metric.unit), "it has")));
    return;
  }
  out["unit"] = unit.text;
  out["scale"] = *scale;
}

json read_map(const Yaml& node, const std::string& name, Problems& problems) {
  const Yaml *metric = node.find("metric"), *parameter = node.find("parameter"), *unit = node.find("unit");
  const auto refuse = [&](const char* why) {
    problems.add(node.position, fmt::format("column \"{}\" {}", name, why));
    return json::object();
  };
  if (!metric == !parameter) return refuse("needs one of the keys \"metric\" and \"parameter\"");
  if (unit && !metric) return refuse("has a \"unit\", which only a metric has");
  json out = metric ? json{{"metric", metric->text}} : json{{"parameter", parameter->text}};
  if (unit) read_unit(*unit, *find_metric(metric->text), out, problems);
  return out;
}

}  // namespace

json read_export(const Yaml& node, const std::vector<Sweep>& sweeps, Problems& problems) {
  const Sweep* sweep = find_sweep(*node.find("sweep"), sweeps, problems);
  if (!sweep) return {};
  json out = {{"name", node.find("name")->text}, {"sweep", sweep->name}, {"columns", json::array()}};
  const Yaml& columns = *node.find("columns");
  for (size_t i = 0; i < columns.items.size(); ++i) {
    const Yaml& source = columns.items[i];
    const std::string name = columns.keys.empty() ? source.text : columns.keys[i].text;
    json column =
        source.kind == Yaml::Kind::map ? read_map(source, name, problems) : read_word(source, *sweep, problems);
    column["name"] = name;
    out["columns"].push_back(std::move(column));
  }
  return out;
}

}  // namespace harness
