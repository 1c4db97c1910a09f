#include "harness/plan/expand.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/plan/check_axis.h"

namespace harness {
namespace {

using Chosen = std::vector<const VariantInfo*>;

/// Each case becomes a row of the store and the report. A larger sweep is taken for a typing error.
constexpr double most_points = 100'000;

Error located(const Position& position, const std::string& message) {
  return {fmt::format("{}: {}", to_string(position), message)};
}

std::vector<std::string> names_of(const std::vector<VariantInfo>& variants) {
  std::vector<std::string> names;
  for (const VariantInfo& variant : variants) names.push_back(variant.name);
  return names;
}

/// The variants that a name or glob selects.
Result<Chosen> find_variants(const std::string& pattern, const Position& position,
                             const std::vector<VariantInfo>& variants) {
  Chosen found;
  for (const VariantInfo& variant : variants)
    if (glob_match(pattern, variant.name)) found.push_back(&variant);
  if (!found.empty()) return found;
  if (pattern.find_first_of("*?") != std::string::npos)
    return located(position, fmt::format("\"{}\" matches no variant; there are {}", pattern,
                                      join(names_of(variants), ", ")));
  const std::string meant = did_you_mean(pattern, names_of(variants));
  const std::string way_out = "; if students hand it in, name their folder with --submission";
  return located(position, fmt::format("unknown variant \"{}\"{}", pattern, meant.empty() ? way_out : meant));
}

bool applies(const Axis& axis, const VariantInfo& variant) {
  return axis.only.empty() || std::any_of(axis.only.begin(), axis.only.end(), [&](const std::string& glob) {
           return glob_match(glob, variant.name);
         });
}

Done check_only(const Sweep& sweep, const Axis& axis, const Chosen& chosen) {
  for (size_t i = 0; i < axis.only.size(); ++i) {
    std::vector<std::string> names;
    for (const VariantInfo* variant : chosen) names.push_back(variant->name);
    if (std::none_of(names.begin(), names.end(),
                     [&](const auto& name) { return glob_match(axis.only[i], name); }))
      return located(axis.only_positions[i],
                     fmt::format("\"{}\" is none of the variants of sweep \"{}\"{}", axis.only[i], sweep.name,
                                 did_you_mean(axis.only[i], names)));
  }
  return ok();
}

Done check_at(const Position& position, const std::string& name, const std::vector<Value>& values,
              const Chosen& chosen, const Kernel& kernel) {
  if (const Done done = check_axis(name, values, chosen, kernel); !done)
    return located(position, done.error().message);
  return ok();
}

/// Globs of one axis may overlap; a variant still has each axis once.
Done check_once(const Sweep& sweep, const Chosen& chosen) {
  for (const VariantInfo* variant : chosen) {
    std::vector<std::string> seen;
    for (const Axis& axis : sweep.axes) {
      if (!applies(axis, *variant)) continue;
      for (const std::string& name : axis.names) {
        if (std::find(seen.begin(), seen.end(), name) != seen.end())
          return located(axis.position,
                         fmt::format("\"{}\" gets \"{}\" twice; name it once", variant->name, name));
        seen.push_back(name);
      }
    }
  }
  return ok();
}

Done check_axes(const Sweep& sweep, const Chosen& chosen, const Kernel& kernel) {
  TRY(check_once(sweep, chosen));
  for (const Axis& axis : sweep.axes) {
    TRY(check_only(sweep, axis, chosen));
    Chosen concerned;
    for (const VariantInfo* variant : chosen)
      if (applies(axis, *variant)) concerned.push_back(variant);
    for (size_t i = 0; i < axis.names.size(); ++i) {
      std::vector<Value> values;
      for (const auto& point : axis.points) values.push_back(point[i]);
      TRY(check_at(axis.position, axis.names[i], values, concerned, kernel));
    }
  }
  for (size_t i = 0; i < sweep.fixed.size(); ++i)
    TRY(check_at(sweep.fixed_positions[i], sweep.fixed[i].first, {sweep.fixed[i].second}, chosen, kernel));
  return ok();
}

bool matches(const Match& match, const VariantInfo& variant, const Axes& axes) {
  if (!match.variant.empty() && !glob_match(match.variant, variant.name)) return false;
  return std::all_of(match.axes.begin(), match.axes.end(), [&](const auto& condition) {
    const Value* value = find(axes, condition.first);
    // Compares spellings: 4 and 4.0 are the same point.
    return value && std::any_of(condition.second.begin(), condition.second.end(),
                                [&](const Value& wanted) { return to_string(wanted) == to_string(*value); });
  });
}

/// Counts through the product of all axes, the last one fastest.
class Odometer {
 public:
  explicit Odometer(const std::vector<Axis>& axes) : axes_(axes), at_(axes.size(), 0) {}

  bool next() {
    for (size_t i = axes_.size(); i-- > 0;) {
      if (++at_[i] < axes_[i].points.size()) return true;
      at_[i] = 0;
    }
    return false;
  }

  /// The axes of the variant at this point; nothing if only an axis that does not apply has changed, because the point
  /// would repeat another one.
  std::optional<Axes> axes_for(const VariantInfo& variant) const {
    Axes axes;
    for (size_t i = 0; i < axes_.size(); ++i) {
      if (!applies(axes_[i], variant)) {
        if (at_[i] > 0) return std::nullopt;
        continue;
      }
      for (size_t j = 0; j < axes_[i].names.size(); ++j)
        axes.emplace_back(axes_[i].names[j], axes_[i].points[at_[i]][j]);
    }
    return axes;
  }

 private:
  const std::vector<Axis>& axes_;
  std::vector<size_t> at_;
};

Done add_product(const Sweep& sweep, const Chosen& chosen, Points& out) {
  double count = static_cast<double>(chosen.size());
  for (const Axis& axis : sweep.axes) count *= static_cast<double>(axis.points.size());
  if (count > most_points)
    return located(sweep.position, fmt::format("sweep \"{}\" has {:.0f} cases; {:.0f} are the limit", sweep.name,
                                            count, most_points));
  std::vector<bool> used(sweep.exclude.size());
  Odometer odometer(sweep.axes);
  do {
    for (const VariantInfo* variant : chosen) {
      auto axes = odometer.axes_for(*variant);
      if (!axes) continue;
      axes->insert(axes->end(), sweep.fixed.begin(), sweep.fixed.end());
      const std::string* reason = nullptr;
      for (size_t i = 0; i < sweep.exclude.size(); ++i)
        if (matches(sweep.exclude[i], *variant, *axes)) {
          used[i] = true;
          if (!reason) reason = &sweep.exclude[i].reason;
        }
      if (reason)
        out.excluded.push_back({sweep.name, variant->name, std::move(*axes), *reason});
      else
        out.points.push_back({&sweep, variant, std::move(*axes), to_string(sweep.position)});
    }
  } while (odometer.next());
  for (size_t i = 0; i < used.size(); ++i)
    if (!used[i])
      return located(sweep.exclude[i].position,
                     fmt::format("this exclude matches no case of sweep \"{}\"", sweep.name));
  return ok();
}

Done add_includes(const Sweep& sweep, const std::vector<VariantInfo>& variants, const Kernel& kernel,
                  Points& out) {
  for (size_t i = 0; i < sweep.include.size(); ++i) {
    const Position& position = sweep.include_positions[i];
    TRY_ASSIGN(const Chosen chosen,
               find_variants(to_string(*find(sweep.include[i], "variant")), position, variants));
    Axes axes;
    for (const auto& [name, value] : sweep.include[i]) {
      if (name == "variant") continue;
      TRY(check_at(position, name, {value}, chosen, kernel));
      axes.emplace_back(name, value);
    }
    for (const auto& [name, value] : sweep.fixed)
      if (!find(axes, name)) axes.emplace_back(name, value);
    for (const VariantInfo* variant : chosen) out.points.push_back({&sweep, variant, axes, to_string(position)});
  }
  return ok();
}

}  // namespace

Result<std::vector<const VariantInfo*>> choose_variants(const Sweep& sweep,
                                                        const std::vector<VariantInfo>& variants) {
  Chosen chosen;
  for (size_t i = 0; i < sweep.variants.size(); ++i) {
    TRY_ASSIGN(const Chosen found, find_variants(sweep.variants[i], sweep.variant_positions[i], variants));
    for (const VariantInfo* variant : found)
      if (std::find(chosen.begin(), chosen.end(), variant) == chosen.end()) chosen.push_back(variant);
  }
  return chosen;
}

Done expand(const Sweep& sweep, const std::vector<VariantInfo>& variants, const Chosen& joining,
            const Kernel& kernel, Points& points) {
  TRY_ASSIGN(Chosen chosen, choose_variants(sweep, variants));
  chosen.insert(chosen.end(), joining.begin(), joining.end());
  TRY(check_axes(sweep, chosen, kernel));
  const size_t before = points.points.size();
  TRY(add_product(sweep, chosen, points));
  TRY(add_includes(sweep, variants, kernel, points));
  if (points.points.size() == before)
    return located(sweep.position,
                   fmt::format("sweep \"{}\" selects nothing: all of its cases are excluded", sweep.name));
  return ok();
}

}  // namespace harness
