#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/base/text.h"
#include "harness/config/read.h"
#include "harness/config/scalars.h"

namespace harness {
namespace {

/// One value, or the values of a range.
std::vector<Value> values_of(const Yaml& scalar) {
  if (!is_range(scalar.text)) return {value_of(scalar)};
  const auto range = expand_range(scalar.text);
  const auto& numbers = std::get<std::vector<int64_t>>(range);  // the schema has accepted only such texts
  return {numbers.begin(), numbers.end()};
}

std::vector<Value> values_of_all(const Yaml& node) {
  if (node.kind == Yaml::Kind::scalar) return values_of(node);
  std::vector<Value> all;
  for (const Yaml& entry : node.items)
    for (Value& value : values_of(entry)) all.push_back(std::move(value));
  return all;
}

std::string spell(const std::vector<Value>& point) {
  std::vector<std::string> parts;
  for (const Value& value : point) parts.push_back(to_string(value));
  return join(parts, ", ");
}

void refuse_repeats(const Axis& axis, const std::string& name, const Position& position, Problems& problems) {
  std::set<std::string> seen;
  for (const auto& point : axis.points)
    if (!seen.insert(spell(point)).second)
      return problems.add(position, fmt::format("\"{}\" lists {} twice", name, spell(point)));
}

/// `shape: [{m: 1, n: 2}, {m: 4, n: 8}]`
void read_tuples(const Yaml& list, const std::string& name, Axis& axis, Problems& problems) {
  axis.names.clear();
  for (const Yaml& key : list.items[0].keys) axis.names.push_back(key.text);
  if (axis.names.empty())
    problems.add(list.items[0].position, fmt::format("an entry of \"{}\" must not be empty", name));
  for (const Yaml& tuple : list.items) {
    std::vector<Value> point;
    for (const std::string& axis_name : axis.names)
      if (const Yaml* value = tuple.find(axis_name)) point.push_back(value_of(*value));
    if (point.size() != axis.names.size() || tuple.keys.size() != axis.names.size())
      return problems.add(tuple.position, fmt::format("the maps in \"{}\" must all have the keys of the first: {}",
                                                      name, join(axis.names, ", ")));
    axis.points.push_back(std::move(point));
  }
}

void read_points(const Yaml& node, const std::string& name, Axis& axis, Problems& problems) {
  const auto is_map = [](const Yaml& entry) { return entry.kind == Yaml::Kind::map; };
  const auto maps = std::ranges::count_if(node.items, is_map);
  if (maps > 0 && static_cast<size_t>(maps) < node.items.size())
    return problems.add(node.position, fmt::format("\"{}\" mixes values and maps; give it one or the other", name));
  if (maps > 0)
    read_tuples(node, name, axis, problems);
  else
    for (Value& value : values_of_all(node)) axis.points.push_back({std::move(value)});
  refuse_repeats(axis, name, node.position, problems);
}

/// One axis. Several axes have the same name if some variants have their own values.
std::vector<Axis> read_axis(const Yaml& key, const Yaml& node, Problems& problems) {
  const auto axis_of = [&](const Yaml& values, const std::vector<Yaml>& only) {
    Axis axis;
    axis.names = {key.text};
    axis.position = key.position;
    read_points(values, key.text, axis, problems);
    for (const Yaml& glob : only) {
      axis.only.push_back(glob.text);
      axis.only_positions.push_back(glob.position);
    }
    return axis;
  };
  if (node.kind != Yaml::Kind::map) return {axis_of(node, {})};
  const Yaml *values = node.find("values"), *only = node.find("only");
  if (values && only && node.keys.size() == 2) return {axis_of(*values, only->items)};
  if (values || only) {
    problems.add(node.position, values && only
                                    ? "an axis with \"values\" and \"only\" has no other keys"
                                    : fmt::format("this axis needs a key \"{}\"", values ? "only" : "values"));
    return {};
  }
  if (node.keys.empty()) problems.add(node.position, fmt::format("\"{}\" must not be empty", key.text));
  std::vector<Axis> axes;
  for (size_t i = 0; i < node.keys.size(); ++i) axes.push_back(axis_of(node.items[i], {node.keys[i]}));
  return axes;
}

std::optional<Axis> read_zip(const Yaml& node, Problems& problems) {
  Axis axis;
  axis.position = node.position;
  for (size_t i = 0; i < node.keys.size(); ++i) {
    const auto values = values_of_all(node.items[i]);
    if (i == 0) axis.points.resize(values.size());
    if (values.size() != axis.points.size()) {
      problems.add(node.position, fmt::format("zip lists differ in length: \"{}\" has {} value{}, \"{}\" has {}",
                                              node.keys[0].text, axis.points.size(), axis.points.size() == 1 ? "" : "s",
                                              node.keys[i].text, values.size()));
      return std::nullopt;
    }
    axis.names.push_back(node.keys[i].text);
    for (size_t j = 0; j < values.size(); ++j) axis.points[j].push_back(values[j]);
  }
  if (axis.names.empty()) return std::nullopt;
  refuse_repeats(axis, "zip", node.position, problems);
  return axis;
}

Match read_exclude(const Yaml& node, const Sweep& sweep, Problems& problems) {
  Match match;
  match.position = node.position;
  match.variant = text_or(node, "variant", "");
  match.reason = text_or(node, "reason", "");
  const auto known = axis_names(sweep);
  for (size_t i = 0; i < node.keys.size(); ++i) {
    const std::string& name = node.keys[i].text;
    if (name == "variant" || name == "reason") continue;
    if (!contains(known, name))
      problems.add(node.keys[i].position,
                   fmt::format("sweep \"{}\" has no axis \"{}\"{}", sweep.name, name, suggest(name, known, "it has")));
    match.axes.emplace_back(name, values_of_all(node.items[i]));
  }
  return match;
}

Axes read_values(const Yaml& node) {
  Axes axes;
  for (size_t i = 0; i < node.keys.size(); ++i) axes.emplace_back(node.keys[i].text, value_of(node.items[i]));
  return axes;
}

/// No axis may appear twice or have a name with another meaning in a report.
void check_names(const Sweep& sweep, Problems& problems) {
  std::map<std::string, Position> seen;
  const auto check = [&](const std::string& name, const Position& position) {
    for (const char* reserved : {"variant", "metric", "dtype", "device", "sweep"})
      if (name == reserved) problems.add(position, fmt::format("\"{}\" cannot be the name of an axis", name));
    // One key may define several axes, each for other variants.
    const auto [first, is_new] = seen.emplace(name, position);
    if (!is_new && to_string(first->second) != to_string(position))
      problems.add(position, fmt::format("axis \"{}\" appears twice in sweep \"{}\"", name, sweep.name));
  };
  for (const Axis& axis : sweep.axes)
    for (const std::string& name : axis.names) check(name, axis.position);
  for (size_t i = 0; i < sweep.fixed.size(); ++i) check(sweep.fixed[i].first, sweep.fixed_positions[i]);
}

}  // namespace

Sweep read_sweep(const Yaml& node, Problems& problems) {
  Sweep sweep;
  sweep.position = node.position;
  sweep.name = text_or(node, "name", "");
  for (const Yaml& variant : node.find("variants")->items) {
    sweep.variants.push_back(variant.text);
    sweep.variant_positions.push_back(variant.position);
  }
  sweep.dtype = parse_enum<Dtype>(text_or(node, "dtype", ""));
  // Swept axes come in the order of the file, so that the first one named varies slowest.
  for (size_t i = 0; i < node.keys.size(); ++i) {
    const Yaml& part = node.items[i];
    if (node.keys[i].text == "axes")
      for (size_t j = 0; j < part.keys.size(); ++j)
        for (Axis& axis : read_axis(part.keys[j], part.items[j], problems)) sweep.axes.push_back(std::move(axis));
    if (node.keys[i].text == "zip")
      if (auto axis = read_zip(part, problems)) sweep.axes.push_back(std::move(*axis));
  }
  if (const Yaml* fixed = node.find("set")) {
    sweep.fixed = read_values(*fixed);
    for (const Yaml& key : fixed->keys) sweep.fixed_positions.push_back(key.position);
  }
  check_names(sweep, problems);
  if (const Yaml* include = node.find("include"))
    for (const Yaml& entry : include->items) {
      sweep.include.push_back(read_values(entry));
      sweep.include_positions.push_back(entry.position);
    }
  if (const Yaml* exclude = node.find("exclude"))
    for (const Yaml& entry : exclude->items) sweep.exclude.push_back(read_exclude(entry, sweep, problems));
  return sweep;
}

std::vector<std::string> axis_names(const Sweep& sweep) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (name != "variant" && !contains(names, name)) names.push_back(name);
  };
  for (const Axis& axis : sweep.axes)
    for (const std::string& name : axis.names) add(name);
  for (const auto& [name, value] : sweep.fixed) add(name);
  for (const Axes& axes : sweep.include)
    for (const auto& [name, value] : axes) add(name);
  return names;
}

std::vector<std::string> axis_spellings(const Sweep& sweep, const std::string& axis) {
  std::vector<std::string> spellings;
  const auto add = [&](const Value& value) {
    std::string spelled = to_string(value);
    if (!contains(spellings, spelled)) spellings.push_back(std::move(spelled));
  };
  for (const Axis& swept : sweep.axes)
    for (size_t i = 0; i < swept.names.size(); ++i)
      if (swept.names[i] == axis)
        for (const auto& point : swept.points) add(point[i]);
  if (const Value* value = find(sweep.fixed, axis)) add(*value);
  for (const Axes& axes : sweep.include)
    if (const Value* value = find(axes, axis)) add(*value);
  return spellings;
}

}  // namespace harness
