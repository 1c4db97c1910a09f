#include "harness/plan/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/base/text.h"
#include "harness/config/scalars.h"
#include "harness/plan/check_axis.h"

namespace harness {
namespace {

template <class T, class Keep>
void keep_if(std::vector<T>& items, const Keep& keep) {
  items.erase(std::remove_if(items.begin(), items.end(), [&](const T& item) { return !keep(item); }),
              items.end());
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Done select_sweeps(const std::vector<std::string>& wanted, Points& points) {
  std::vector<std::string> known;
  for (const Point& point : points.points)
    if (!contains(known, point.sweep->name)) known.push_back(point.sweep->name);
  for (const std::string& name : wanted)
    if (!contains(known, name)) {
      const std::string suggestion = did_you_mean(name, known);
      return Error{fmt::format("--sweep: unknown sweep \"{}\"{}", name,
                               suggestion.empty() ? "; there are " + join(known, ", ") : suggestion)};
    }
  keep_if(points.points, [&](const Point& point) { return contains(wanted, point.sweep->name); });
  keep_if(points.excluded, [&](const Excluded& excluded) { return contains(wanted, excluded.sweep); });
  return ok();
}

Done select_variants(const std::vector<std::string>& globs, Points& points) {
  std::set<std::string> there;
  for (const Point& point : points.points) there.insert(point.variant->name);
  const std::vector<std::string> known(there.begin(), there.end());
  const auto finds_one = [&](const std::string& glob) {
    return std::any_of(known.begin(), known.end(), [&](const auto& name) { return glob_match(glob, name); });
  };
  const bool any = std::any_of(globs.begin(), globs.end(), finds_one);
  for (const std::string& glob : globs)
    if (!finds_one(glob))
      return Error{fmt::format("{}--variant \"{}\" matches none of {}{}", any ? "" : "nothing selected: ",
                               glob, join(known, ", "), did_you_mean(glob, known)),
                   any ? ExitCode::usage : ExitCode::nothing_selected};
  const auto wanted = [&](const std::string& name) {
    return std::any_of(globs.begin(), globs.end(), [&](const auto& glob) { return glob_match(glob, name); });
  };
  keep_if(points.points, [&](const Point& point) { return wanted(point.variant->name); });
  keep_if(points.excluded, [&](const Excluded& excluded) { return wanted(excluded.variant); });
  return ok();
}

/// Gives the axis this value, at its place or at the end.
void put(Axes& axes, const std::string& name, const Value& value) {
  for (auto& [axis, old] : axes)
    if (axis == name) {
      old = value;
      return;
    }
  axes.emplace_back(name, value);
}

bool has_value(const Axes& axes, const std::string& name, const Value& value) {
  const Value* found = find(axes, name);
  return found && to_string(*found) == to_string(value);
}

Done check_setting(const std::string& name, const Value& value, const Kernel& kernel,
                   const std::vector<Point>& points) {
  std::vector<const VariantInfo*> variants;
  for (const Point& point : points)
    if (!is_macro(name) || has_macro(*point.variant, name)) variants.push_back(point.variant);
  if (is_macro(name) && !variants.empty()) return ok();
  if (is_macro(name)) {
    std::set<std::string> macros;
    for (const Point& point : points)
      for (const auto& [macro, text] : point.variant->macros) macros.insert(macro);
    return Error{fmt::format("--set {}={}: no selected variant has a macro \"{}\"{}", name, to_string(value),
                             name, did_you_mean(name, {macros.begin(), macros.end()}))};
  }
  if (const Done done = check_axis(name, {value}, variants, kernel); !done)
    return Error{fmt::format("--set {}={}: {}", name, to_string(value), done.error().message)};
  return ok();
}

Done set_axis(const std::string& name, const std::string& text, const Kernel& kernel, Points& points) {
  const Value value = parse_value(text);
  TRY(check_setting(name, value, kernel, points.points));
  const bool swept = std::any_of(points.points.begin(), points.points.end(),
                                 [&](const Point& point) { return has_value(point.axes, name, value); });
  keep_if(points.excluded,
          [&](const Excluded& e) { return !find(e.axes, name) || has_value(e.axes, name, value); });
  if (swept)
    keep_if(points.points, [&](const Point& point) {
      return !find(point.axes, name) || has_value(point.axes, name, value);
    });
  for (Point& point : points.points) {
    // Where the sweep has the axis but this variant has not, it does not apply.
    const bool can_have = find(point.axes, name) || !contains(axis_names(*point.sweep), name);
    if (!can_have || (is_macro(name) && !has_macro(*point.variant, name)) ||
        has_value(point.axes, name, value))
      continue;
    put(point.axes, name, value);
    point.origin = fmt::format("--set {}={}", name, text);
  }
  std::set<std::string> seen;
  keep_if(points.points, [&](const Point& point) {
    return seen.insert(fmt::format("{} {} {}", point.sweep->name, point.variant->name, to_string(point.axes)))
        .second;
  });
  return ok();
}

}  // namespace

Done select(const Selection& selection, const Kernel& kernel, Points& points) {
  if (!selection.sweeps.empty()) TRY(select_sweeps(selection.sweeps, points));
  if (!selection.variants.empty()) TRY(select_variants(selection.variants, points));
  for (const auto& [name, value] : selection.set) TRY(set_axis(name, value, kernel, points));
  return ok();
}

}  // namespace harness
