#include "harness/config/visible_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "harness/base/text.h"
#include "harness/config/read.h"
#include "harness/config/write_yaml.h"

namespace harness {
namespace {

/// Null: the rule has no condition on this axis.
const std::vector<Value>* wanted_values(const Rule& rule, const std::string& axis) {
  for (const auto& [name, values] : rule.where)
    if (name == axis) return &values;
  return nullptr;
}

bool wants(const Rule& rule, const std::string& axis, const std::string& value) {
  const auto* values = wanted_values(rule, axis);
  return !values || std::ranges::any_of(*values, [&](const Value& one) { return to_string(one) == value; });
}

bool has_variant(const Sweep& sweep, const std::string& variant) {
  return std::ranges::any_of(sweep.variants, [&](const std::string& glob) { return glob_match(glob, variant); }) ||
         std::ranges::any_of(sweep.include,
                             [&](const Axes& axes) { return to_string(*find(axes, "variant")) == variant; });
}

bool looks_at(const Rule& rule, const Sweep& sweep) {
  if (!has_variant(sweep, rule.variant) || (!rule.sweep.empty() && rule.sweep != sweep.name)) return false;
  return std::ranges::all_of(rule.where, [&](const auto& condition) {
    const auto there = axis_spellings(sweep, condition.first);
    return std::ranges::any_of(condition.second, [&](const Value& value) { return contains(there, to_string(value)); });
  });
}

class Hider {
 public:
  explicit Hider(const Config& config) : rules_(config.grade->rules), sweeps_(config.sweeps) {}

  void hide(Yaml& root) const {
    Yaml& list = value_of_key(root, "sweeps");
    for (size_t i = list.items.size(); i-- > 0;)
      if (!hide_in(sweeps_[i], list.items[i])) list.items.erase(list.items.begin() + static_cast<ptrdiff_t>(i));
    Yaml& grade = value_of_key(root, "grade");
    Yaml& rules = value_of_key(grade, "rules");
    for (size_t i = rules_.size(); i-- > 0;)
      if (rules_[i].hidden) rules.items.erase(rules.items.begin() + static_cast<ptrdiff_t>(i));
    if (rules.items.empty()) remove(root, "grade");
  }

  /// What a copy would still show of a hidden rule, or nothing.
  std::optional<std::string> shown_in(const Config& copy) const {
    for (const Sweep& sweep : copy.sweeps)
      for (const Rule& rule : rules_)
        for (const auto& [axis, values] : rule.where)
          for (const Value& value : values)
            if (rule.hidden && contains(axis_spellings(sweep, axis), to_string(value)) &&
                hidden_value(sweep, axis, to_string(value)))
              return fmt::format(
                  "rule \"{}\" is hidden, and students would see {}={} in the sweep \"{}\"; give its "
                  "cases a sweep of their own",
                  rule.name, axis, to_string(value), sweep.name);
    return std::nullopt;
  }

 private:
  static Yaml& value_of_key(Yaml& map, std::string_view key) { return const_cast<Yaml&>(*map.find(key)); }
  static void remove(Yaml& map, std::string_view key) {
    for (size_t i = map.keys.size(); i-- > 0;)
      if (map.keys[i].text == key) {
        map.keys.erase(map.keys.begin() + static_cast<ptrdiff_t>(i));
        map.items.erase(map.items.begin() + static_cast<ptrdiff_t>(i));
      }
  }

  bool hidden_only(const Sweep& sweep) const {
    bool hidden = false;
    for (const Rule& rule : rules_) {
      if (!looks_at(rule, sweep)) continue;
      if (rule.shows_results()) return false;
      hidden = hidden || (rule.hidden && rule.where.empty());
    }
    return hidden;
  }

  bool hidden_value(const Sweep& sweep, const std::string& axis, const std::string& value) const {
    bool hidden = false;
    for (const Rule& rule : rules_) {
      if (!looks_at(rule, sweep) || !wants(rule, axis, value)) continue;
      if (rule.shows_results()) return false;
      hidden = hidden || (rule.hidden && wanted_values(rule, axis));
    }
    return hidden;
  }

  /// False if nothing of the sweep is left.
  bool hide_in(const Sweep& sweep, Yaml& node) const {
    if (hidden_only(sweep)) return false;
    for (const Axis& axis : sweep.axes) {
      if (axis.names.size() != 1) continue;
      Yaml left;
      left.kind = Yaml::Kind::list;
      for (const auto& point : axis.points)
        if (const std::string value = to_string(point[0]); !hidden_value(sweep, axis.names[0], value)) {
          Yaml scalar;
          scalar.kind = Yaml::Kind::scalar;
          scalar.text = value;
          scalar.quoted = std::holds_alternative<std::string>(point[0]);
          left.items.push_back(std::move(scalar));
        }
      if (left.items.size() == axis.points.size()) continue;
      if (left.items.empty()) return false;
      // Values for some variants only are not replaced: shown_in() finds them.
      if (const Yaml* axes = node.find("axes"))
        if (const Yaml* values = axes->find(axis.names[0]); values && values->kind != Yaml::Kind::map)
          const_cast<Yaml&>(*values) = std::move(left);
    }
    return true;
  }

  const std::vector<Rule>& rules_;
  const std::vector<Sweep>& sweeps_;
};

}  // namespace

Result<std::string> visible_config(const Config& config) {
  TRY_ASSIGN(Yaml root, parse_yaml(config.text, config.path));
  if (config.grade) Hider(config).hide(root);
  std::string text = write_yaml(root);
  const auto copy = parse_config(text, "copy");
  if (!copy)
    return Error{
        fmt::format("{}: without hidden rules, and without the cases that only they look at, it is no valid "
                    "config: {}",
                    config.path, copy.error().message)};
  if (config.grade)
    if (const auto shown = Hider(config).shown_in(*copy)) return Error{fmt::format("{}: {}", config.path, *shown)};
  return text;
}

Result<std::vector<std::filesystem::path>> tables_of(const Config& config) {
  std::vector<std::string> names;
  for (const Published& table : config.published) names.push_back(table.file);
  if (config.recorded) names.push_back(config.recorded->file);
  std::vector<std::filesystem::path> tables;
  for (const std::string& name : names) {
    const auto path = std::filesystem::path(name).lexically_normal();
    if (path.is_absolute() || *path.begin() == "..")
      return Error{fmt::format("{}: \"{}\" is outside of the folder of the config, so it cannot be copied with it",
                               config.path, name)};
    if (!contains(tables, path)) tables.push_back(path);
  }
  return tables;
}

}  // namespace harness
