#include "harness/plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/base/text.h"
#include "harness/plan/expand.h"
#include "harness/plan/selection.h"

namespace harness {
namespace {

/// Turns points into cases. Equal problems are one object, so that their inputs can be shared.
class CaseMaker {
 public:
  CaseMaker(const Config& config, const Kernel& kernel) : config_(config), kernel_(kernel) {}

  Result<Case> make(const Point& point) {
    Case c;
    c.sweep = point.sweep->name;
    c.variant = point.variant->name;
    c.dtype = point.sweep->dtype.value_or(config_.dtype);
    c.axes = point.axes;
    for (const auto& [name, value] : point.axes) {
      if (is_macro(name))
        c.macros.emplace_back(name, value);
      else if (name == "threads")
        c.threads = static_cast<int>(std::get<int64_t>(value));
      else
        c.parameters.emplace_back(name, value);
    }
    c.id = fmt::format("{}/{}/{}", config_.lab, c.sweep, c.variant);
    if (!c.axes.empty()) c.id += " " + to_string(c.axes);
    c.skip = reason_to_skip(*point.variant, c);
    ProblemPtr& problem = problems_[fmt::format("{} {}", to_string(c.dtype), to_string(c.parameters))];
    if (!problem) {
      auto made = kernel_.problem(c.dtype, c.parameters);
      if (!made)
        return Error{fmt::format("{}: sweep \"{}\"{}: {}", point.origin, c.sweep,
                                 c.parameters.empty() ? "" : ", " + to_string(c.parameters), made.error().message)};
      problem = *std::move(made);
    }
    c.problem = problem;
    return c;
  }

 private:
  static std::optional<std::string> reason_to_skip(const VariantInfo& variant, const Case& c) {
    if (variant.dtypes.empty()) return std::nullopt;  // the build reports that there is no entry point
    if (std::find(variant.dtypes.begin(), variant.dtypes.end(), c.dtype) == variant.dtypes.end())
      return fmt::format("has no {} version", to_string(c.dtype));
    for (const auto& [name, value] : c.macros)
      if (!has_macro(variant, name)) return fmt::format("the source has no #ifndef {0} with a #define {0}", name);
    return std::nullopt;
  }

  const Config& config_;
  const Kernel& kernel_;
  std::map<std::string, ProblemPtr> problems_;
};

Result<std::vector<Case>> make_cases(CaseMaker& maker, const std::vector<Point>& points) {
  std::vector<Case> cases;
  std::map<std::string, const Point*> seen;
  for (const Point& point : points) {
    TRY_ASSIGN(Case c, maker.make(point));
    const auto [first, is_new] = seen.emplace(c.id, &point);
    if (!is_new)
      return Error{fmt::format("{}: {} {} is there already, from {}; keep one", point.origin, c.variant,
                               to_string(c.axes), first->second->origin)};
    cases.push_back(std::move(c));
  }
  return cases;
}

/// The sweeps that a submitted variant joins if no sweep names it: those that compare variants of its device and whose
/// macros it has.
bool can_join(const VariantInfo& variant, const Sweep& sweep, const std::vector<const VariantInfo*>& chosen) {
  if (chosen.size() < 2) return false;
  if (std::none_of(chosen.begin(), chosen.end(), [&](const auto* other) { return other->gpu == variant.gpu; }))
    return false;
  const auto missing = [&](const std::string& name) { return is_macro(name) && !has_macro(variant, name); };
  for (const Axis& axis : sweep.axes)
    if (axis.only.empty() && std::any_of(axis.names.begin(), axis.names.end(), missing)) return false;
  return std::none_of(sweep.fixed.begin(), sweep.fixed.end(), [&](const auto& fixed) { return missing(fixed.first); });
}

using Joining = std::map<const Sweep*, std::vector<const VariantInfo*>>;

/// `wanted`: globs of --variant. What they exclude may fit no sweep.
Result<Joining> join_submitted(const Config& config, const std::vector<VariantInfo>& variants,
                               const std::vector<std::string>& wanted) {
  std::map<const Sweep*, std::vector<const VariantInfo*>> chosen;
  std::set<const VariantInfo*> named;
  for (const Sweep& sweep : config.sweeps) {
    TRY_ASSIGN(chosen[&sweep], choose_variants(sweep, variants));
    named.insert(chosen[&sweep].begin(), chosen[&sweep].end());
  }
  Joining joining;
  for (const VariantInfo& variant : variants) {
    if (!variant.from_submission || named.count(&variant)) continue;
    bool joined = false;
    for (const Sweep& sweep : config.sweeps)
      if (can_join(variant, sweep, chosen[&sweep])) {
        joining[&sweep].push_back(&variant);
        joined = true;
      }
    const auto names_it = [&](const std::string& glob) { return glob_match(glob, variant.name); };
    if (joined || (!wanted.empty() && std::ranges::none_of(wanted, names_it))) continue;
    if (!variant.defect.empty())
      return Error{starts_with(variant.defect, variant.file + ":") ? variant.defect
                                                                   : fmt::format("{}: {}", variant.file, variant.defect)};
    std::set<std::string> names;
    for (const VariantInfo* known : named) names.insert(known->name);
    const std::vector<std::string> known(names.begin(), names.end());
    return Error{fmt::format("{}: no sweep of {} takes it{}; give it the name of the variant it replaces: {}",
                             variant.file, config.path, did_you_mean(variant.name, known), join(known, ", "))};
  }
  return joining;
}

/// `role`: "baseline", "vendor".
Done check_named(const std::string& role, const std::string& name, const Position& position,
                 const std::vector<VariantInfo>& variants, const std::vector<Point>& points) {
  if (name.empty()) return ok();
  if (std::any_of(points.begin(), points.end(), [&](const Point& p) { return p.variant->name == name; })) return ok();
  std::vector<std::string> names;
  for (const VariantInfo& variant : variants) names.push_back(variant.name);
  const bool known = std::find(names.begin(), names.end(), name) != names.end();
  return Error{fmt::format("{}: {}", to_string(position),
                           known ? fmt::format("the {} \"{}\" is in no sweep; add it to the variants of a sweep", role, name)
                                 : fmt::format("unknown variant \"{}\"{}", name, did_you_mean(name, names)))};
}

/// A selection that leaves only the lab's own files would grade those.
Done check_submission(const std::vector<VariantInfo>& variants, const std::vector<Point>& points) {
  std::vector<std::string> submitted, files;
  for (const VariantInfo& variant : variants)
    if (variant.from_submission) {
      submitted.push_back(variant.name);
      files.push_back(variant.file);
    }
  const auto is_submitted = [](const Point& point) { return point.variant->from_submission; };
  if (submitted.empty() || std::any_of(points.begin(), points.end(), is_submitted)) return ok();
  std::set<std::string> selected;
  for (const Point& point : points) selected.insert(point.variant->name);
  return Error{fmt::format("nothing of the submission is selected, only the lab's own {}; the submission has {}; name a "
                           "file like the variant that it replaces, or select it with --variant {}",
                           join({selected.begin(), selected.end()}, ", "), join(files, ", "), submitted.front()),
               ExitCode::nothing_selected};
}

}  // namespace

Result<Plan> make_plan(const Config& config, const Kernel& kernel, const std::vector<VariantInfo>& variants,
                       const Selection& selection) {
  TRY_ASSIGN(Joining joining, join_submitted(config, variants, selection.variants));
  Points points;
  for (const Sweep& sweep : config.sweeps) TRY(expand(sweep, variants, joining[&sweep], kernel, points));
  TRY(check_named("baseline", config.baseline, config.baseline_position, variants, points.points));
  for (size_t i = 0; i < config.vendors.size(); ++i)
    TRY(check_named("vendor", config.vendors[i], config.vendor_positions[i], variants, points.points));
  CaseMaker maker(config, kernel);
  // All cases are made before any is dropped, so that a mistake in the file is found with any selection.
  Plan plan;
  TRY_ASSIGN(plan.all, make_cases(maker, points.points));
  TRY(select(selection, kernel, points));
  TRY(check_submission(variants, points.points));
  TRY_ASSIGN(plan.cases, make_cases(maker, points.points));
  plan.excluded = std::move(points.excluded);
  return plan;
}

bool same_problem(const Case& a, const Case& b) {
  return a.dtype == b.dtype && (a.problem == b.problem || std::ranges::equal(a.problem->blob(), b.problem->blob()));
}

}  // namespace harness
