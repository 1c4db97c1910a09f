#include "harness/tune/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "harness/base/text.h"
#include "harness/config/write_yaml.h"
#include "harness/config/yaml.h"
#include "harness/engine/lab.h"
#include "harness/plan/tuned.h"

namespace harness {
namespace {

/// More builds than anybody waits for.
constexpr size_t most_sets = 10'000;

bool is_parameter(const VariantInfo& variant, const std::string& name) {
  return std::ranges::find(variant.tune, name, &TuneParameter::name) != variant.tune.end();
}

Result<VariantInfo> find_variant(const PlacedLab& lab) {
  std::vector<std::string> names;
  for (const Case& c : lab.plan.cases)
    if (!contains(names, c.variant)) names.push_back(c.variant);
  if (names.size() > 1)
    return Error{fmt::format("a search is for one variant, not for {}; choose one with --variant", join(names, ", "))};
  const VariantInfo& variant = *std::ranges::find(lab.variants, names.at(0), &VariantInfo::name);
  if (!variant.defect.empty()) return Error{variant.defect};
  if (variant.tune.empty()) {
    const std::string macro = variant.macros.empty() ? "BLOCK" : variant.macros.front().first;
    return Error{fmt::format("{}:1:1: no parameter to search; write for example LAB_TUNE({}, 16, 32, 64){}",
                             variant.file, macro,
                             variant.macros.empty() ? ", and #ifndef BLOCK with a #define BLOCK" : "")};
  }
  for (const auto& [name, value] : lab.options.selection.set)
    if (is_parameter(variant, name))
      return Error{fmt::format("--set {}: the search chooses this parameter; leave it out", name)};
  if (lab.only_checks(variant) || (variant.gpu && !lab.gpu))
    return Error{fmt::format("{} would not be timed here: search its parameters on a machine with a GPU", variant.name),
                 ExitCode::machine};
  return variant;
}

Axes without_parameters(const Axes& axes, const VariantInfo& variant) {
  Axes rest;
  for (const auto& axis : axes)
    if (!is_parameter(variant, axis.first)) rest.push_back(axis);
  return rest;
}

std::vector<std::string> keys_of(const Axes& axes) {
  std::vector<std::string> keys;
  for (const auto& [name, value] : axes) keys.push_back(name);
  return keys;
}

Yaml yaml_of(const Axes& axes) {
  std::vector<std::pair<std::string, Yaml>> entries;
  for (const auto& [name, value] : axes) entries.emplace_back(name, yaml_scalar(to_string(value)));
  return yaml_map(std::move(entries));
}

Yaml words_of(const std::vector<std::string>& words) {
  std::vector<Yaml> all;
  for (const std::string& word : words) all.push_back(yaml_scalar(word));
  return yaml_list(std::move(all));
}

/// Problems with the same axes, which are one sweep.
struct Points {
  std::string sweep;
  Dtype dtype = Dtype::f32;
  std::vector<Axes> all;
};

std::vector<Points> find_points(const Plan& plan, const VariantInfo& variant) {
  std::vector<Points> found;
  std::set<std::string> seen;
  for (const Case& c : plan.cases) {
    const Axes axes = without_parameters(c.axes, variant);
    if (!seen.insert(fmt::format("{} {}", to_string(c.dtype), to_string(axes))).second) continue;
    auto at = std::ranges::find_if(found, [&](const Points& points) {
      return points.dtype == c.dtype && keys_of(points.all.front()) == keys_of(axes);
    });
    if (at == found.end()) at = found.insert(at, Points{c.sweep, c.dtype, {}});
    if (at->sweep != c.sweep) at->sweep = fmt::format("{}", to_string(c.dtype));
    at->all.push_back(axes);
  }
  for (size_t i = 0; i < found.size(); ++i)  // each sweep has a name of its own
    for (size_t j = 0; j < i; ++j)
      if (found[i].sweep == found[j].sweep) found[i].sweep = fmt::format("{}_{}", found[i].sweep, i + 1);
  return found;
}

/// The product of all parameters, or a random part of it: the same one for each call, so that a search can go on.
Result<std::vector<Axes>> find_sets(const VariantInfo& variant, std::optional<size_t> most) {
  double product = 1;
  for (const TuneParameter& parameter : variant.tune) product *= static_cast<double>(parameter.values.size());
  const size_t wanted = std::min(most.value_or(most_sets + 1), most_sets);
  if (!most && product > static_cast<double>(most_sets))
    return Error{fmt::format("{} declares {:.0f} sets of values; search a part of them, for example with --most 200",
                             variant.name, product)};
  std::set<uint64_t> chosen;
  if (product <= static_cast<double>(wanted)) {
    for (uint64_t i = 0; i < static_cast<uint64_t>(product); ++i) chosen.insert(i);
  } else {
    std::mt19937_64 random(1);
    while (chosen.size() < wanted) chosen.insert(random() % static_cast<uint64_t>(std::min(product, 1e18)));
  }
  std::vector<Axes> sets;
  for (uint64_t index : chosen) {
    Axes set;
    for (auto parameter = variant.tune.rbegin(); parameter != variant.tune.rend(); ++parameter) {
      set.emplace(set.begin(), parameter->name, parameter->values[index % parameter->values.size()]);
      index /= parameter->values.size();
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

Yaml sweep_of(const Points& points, const std::vector<Axes>& sets, const VariantInfo& variant) {
  std::vector<Yaml> problems, values, now;
  for (const Axes& axes : points.all) {
    problems.push_back(yaml_of(axes));
    Axes as_now = axes;
    as_now.emplace(as_now.begin(), "variant", variant.name);
    now.push_back(yaml_of(as_now));
  }
  for (const Axes& set : sets) values.push_back(yaml_of(set));
  std::vector<std::pair<std::string, Yaml>> axes;
  if (!points.all.front().empty()) axes.emplace_back("problem", yaml_list(std::move(problems)));
  axes.emplace_back("parameters", yaml_list(std::move(values)));
  return yaml_map({{"name", yaml_scalar(points.sweep)},
                   {"variants", words_of({variant.name})},
                   {"dtype", yaml_scalar(std::string(to_string(points.dtype)))},
                   {"axes", yaml_map(std::move(axes))},
                   {"include", yaml_list(std::move(now))}});
}

/// The landscape: a table of all sets, and a plot.
Yaml report_of(const std::vector<Points>& all, const VariantInfo& variant) {
  std::vector<std::string> names, varying;
  for (const TuneParameter& parameter : variant.tune) names.push_back(parameter.name);
  std::vector<Yaml> tables, plots;
  for (const Points& points : all) {
    varying.clear();
    for (const auto& [name, value] : points.all.front())
      if (std::ranges::any_of(points.all, [&](const Axes& axes) { return *find(axes, name) != value; }))
        varying.push_back(name);
    const Yaml title = yaml_scalar(fmt::format("Parameters of {}, {}", variant.name, points.sweep));
    const Yaml sweep = yaml_scalar(points.sweep);
    tables.push_back(yaml_map({{"title", title},
                               {"sweep", sweep},
                               {"rows", words_of(names)},
                               {"columns", words_of(varying.empty() ? std::vector<std::string>{"variant"} : varying)},
                               {"value", yaml_scalar("kernel_ms")}}));
    if (names.size() == 1) {
      plots.push_back(yaml_map({{"title", title},
                                {"sweep", sweep},
                                {"kind", yaml_scalar("lines")},
                                {"x", yaml_scalar(names[0])},
                                {"y", yaml_scalar("kernel_ms")}}));
    } else {
      std::vector<std::string> rows = varying;
      rows.insert(rows.end(), names.begin(), names.end() - 1);
      plots.push_back(yaml_map({{"title", title},
                                {"sweep", sweep},
                                {"kind", yaml_scalar("heatmap")},
                                {"x", yaml_scalar(names.back())},
                                {"y", words_of(rows)},
                                {"value", yaml_scalar("kernel_ms")}}));
    }
  }
  return yaml_map({{"tables", yaml_list(std::move(tables))}, {"plots", yaml_list(std::move(plots))}});
}

std::string lab_name(const VariantInfo& variant) {
  return "tune_" + lower(variant.name);
}

/// The lab's config with other sweeps, and without what speaks of the old ones.
Result<std::string> search_config(const PlacedLab& lab, const VariantInfo& variant, const std::vector<Points>& points,
                                  const std::vector<Axes>& sets) {
  TRY_ASSIGN(const Yaml old, parse_yaml(lab.config.text, lab.config.path));
  std::vector<Yaml> sweeps;
  for (const Points& one : points) sweeps.push_back(sweep_of(one, sets, variant));
  std::vector<std::pair<std::string, Yaml>> made = {
      {"lab", yaml_scalar(lab_name(variant))},
      {"title", yaml_scalar(fmt::format("Parameters of {} on {}", variant.name, lab.device_name(variant)))}};
  for (const char* kept : {"kernel", "dtype", "forbid", "allowed_precisions", "least_shapes", "sandbox", "container", "submissions",
                           "resources", "flags", "device", "measure"})
    if (const Yaml* node = old.find(kept)) made.emplace_back(kept, *node);
  if (made.back().first != "measure") made.emplace_back("measure", yaml_map({}));
  Yaml& measure = made.back().second;
  if (!measure.find("drop_slower")) {
    measure.keys.push_back(yaml_scalar("drop_slower"));
    measure.items.push_back(yaml_scalar("true"));
  }
  made.emplace_back("sweeps", yaml_list(std::move(sweeps)));
  made.emplace_back("report", report_of(points, variant));
  return fmt::format("# Written by \"harness tune\" from {}.\n", fs::path(lab.config.path).filename().string()) +
         write_yaml(yaml_map(std::move(made)));
}

}  // namespace

Result<Search> plan_search(const RunOptions& options, std::optional<size_t> most) {
  TRY_ASSIGN(Lab loaded, load_lab(options));
  TRY_ASSIGN(const PlacedLab lab, place_lab(std::move(loaded), Purpose::plan));
  TRY_ASSIGN(VariantInfo variant, find_variant(lab));
  TRY_ASSIGN(const std::vector<Axes> sets, find_sets(variant, most));
  const std::vector<Points> points = find_points(lab.plan, variant);
  TRY_ASSIGN(const std::string text, search_config(lab, variant, points, sets));
  TRY(make_folders(lab.results));
  const fs::path file = lab.results / (lab_name(variant) + ".yaml");
  TRY(write_file(file, text));
  Search search{options, variant, lab.device_name(variant), sets.size(), 0};
  for (const Points& one : points) search.points += one.all.size();
  search.options.config = file.string();
  search.options.selection = {{variant.name}, {}, {}};
  search.options.submission.reset();  // its other variants have no sweep here
  if (variant.from_submission) search.options.submission = variant.file;
  return search;
}

bool Ranking::found() const {
  if (sets.empty() || sets.front().values.empty()) return false;
  const auto now = std::ranges::find_if(sets, [](const RankedSet& set) { return set.values.empty(); });
  return now == sets.end() || now->low > sets.front().high;
}

std::vector<Ranking> rank_sets(const RunRecord& run, const VariantInfo& variant) {
  struct Times {
    std::map<std::string, Summary> at;  // by problem
    std::string left_out;
  };
  std::map<Dtype, std::map<std::string, std::pair<Axes, Times>>> found;
  std::map<Dtype, std::set<std::string>> problems;  // that some set was timed with
  for (const CaseRecord& record : run.cases) {
    Axes values;
    for (const auto& axis : record.axes)
      if (is_parameter(variant, axis.first)) values.push_back(axis);
    const std::string problem = to_string(without_parameters(record.axes, variant));
    auto& [set, times] = found[record.dtype][to_string(values)];
    set = values;
    const bool right =
        record.status == Status::PASSED || record.status == Status::UNSTABLE || record.status == Status::THROTTLED;
    if (right && record.summary().interval) {
      times.at[problem] = record.summary();
      problems[record.dtype].insert(problem);
    } else if (times.left_out.empty()) {
      const std::string& reason = record.reason;
      times.left_out = fmt::format("{}: {}", to_string(record.status),
                                   right ? "too few samples" : reason.substr(0, reason.find(';')));
    }
  }
  std::vector<Ranking> rankings;
  for (const auto& [dtype, sets] : found) {
    Ranking ranking{dtype, {}, {}};
    const auto count = static_cast<double>(problems[dtype].size());
    for (const auto& [name, entry] : sets) {
      const auto& [values, times] = entry;
      if (times.at.empty() || times.at.size() < problems[dtype].size()) {
        ranking.left_out.emplace_back(values, times.left_out);
        continue;
      }
      RankedSet set{values, 0, 0, 0};
      for (const auto& [problem, summary] : times.at) {
        set.ms += std::log(summary.median) / count;
        set.low += std::log(summary.interval->low) / count;
        set.high += std::log(summary.interval->high) / count;
      }
      for (double* ms : {&set.ms, &set.low, &set.high}) *ms = std::exp(*ms);
      ranking.sets.push_back(std::move(set));
    }
    std::ranges::sort(ranking.sets, {}, &RankedSet::ms);
    rankings.push_back(std::move(ranking));
  }
  return rankings;
}

Done keep_fastest(const Search& search, const std::string& run_id, const std::vector<Ranking>& rankings) {
  std::vector<TunedValues> rows = search.variant.tuned;
  bool changed = false;
  for (const Ranking& ranking : rankings) {
    if (!ranking.found()) continue;
    std::erase_if(rows,
                  [&](const TunedValues& row) { return row.device == search.device && row.dtype == ranking.dtype; });
    rows.push_back({search.device, ranking.dtype, run_id, ranking.sets.front().values});
    changed = true;
  }
  return changed ? write_file(tuned_file(search.variant), write_tuned(rows)) : ok();
}

}  // namespace harness
