// grade: the rules, checked against the sweeps.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/base/text.h"
#include "harness/config/read.h"
#include "harness/config/rule_kinds.h"
#include "harness/config/scalars.h"

namespace harness {
namespace {

class RuleReader {
 public:
  RuleReader(const Yaml& node, const Config& config, Problems& problems)
      : node_(node), config_(config), problems_(problems) {}

  Rule read() {
    rule_.name = node_.find("name")->text;
    rule_.kind = node_.find("rule")->text;
    rule_.about = text_or(node_, "about", "");
    rule_.hidden = text_or(node_, "hidden", "false") == "true";
    rule_.credit = parse_enum<Credit>(text_or(node_, "credit", "share")).value_or(Credit::share);
    rule_.across = parse_enum<Across>(text_or(node_, "across", "mean")).value_or(Across::mean);
    read_without();
    rule_.position = node_.position;
    if (const Yaml* points = node_.find("points")) rule_.points = *parse_real(points->text);
    check_keys();
    read_sweeps();
    if (const Yaml* variant = node_.find("variant")) {
      rule_.variant = variant->text;
      check_variant(*variant);
    }
    if (const Yaml* over = node_.find("over")) {
      rule_.over = over->text;
      check_variant(*over);
    }
    read_where();
    if (rule_.kind == "speed") read_speed();
    if (rule_.kind == "claim" && node_.find("claim") && node_.find("sweep")) {
      std::vector<Claim> claims;
      read_claim(node_, config_.sweeps, claims, problems_);
      if (!claims.empty()) rule_.claim = std::move(claims.front());
      check_claim(*node_.find("claim"));
    }
    return rule_;
  }

 private:
  void refuse(const Position& position, const std::string& why) {
    problems_.add(position, fmt::format("rule \"{}\" {}", rule_.name, why));
  }

  void check_keys() {
    const RuleKind& kind = *find_rule_kind(rule_.kind);
    const std::vector<std::string> common = {"name", "rule", "about", "hidden"};
    for (const Yaml& key : node_.keys)
      if (!contains(common, key.text) && !contains(kind.required, key.text) && !contains(kind.optional, key.text))
        refuse(key.position, fmt::format("is of the kind \"{}\", which has no key \"{}\"", kind.name, key.text));
    for (const std::string& key : kind.required)
      if (!node_.find(key)) refuse(node_.position, fmt::format("needs a key \"{}\"", key));
  }

  void read_sweeps() {
    if (const Yaml* name = node_.find("sweep")) {
      if (const Sweep* sweep = find_sweep(*name, config_.sweeps, problems_)) sweeps_ = {sweep};
      rule_.sweep = name->text;
    } else {
      for (const Sweep& sweep : config_.sweeps) sweeps_.push_back(&sweep);
    }
  }

  // Variants that only students have are known from the sweeps alone.
  void check_variant(const Yaml& name) {
    std::vector<std::string> known;
    for (const Sweep* sweep : sweeps_) {
      known.insert(known.end(), sweep->variants.begin(), sweep->variants.end());
      for (const Axes& axes : sweep->include) known.push_back(to_string(*find(axes, "variant")));
    }
    if (!known.empty() && std::ranges::none_of(known, [&](auto& glob) { return glob_match(glob, name.text); }))
      problems_.add(name.position, fmt::format("no sweep{} has the variant \"{}\"{}",
                                               rule_.sweep.empty() ? "" : fmt::format(" \"{}\"", rule_.sweep),
                                               name.text, suggest(name.text, known, "there are")));
  }

  void read_without() {
    const Yaml* without = node_.find("without");
    if (!without) return;
    for (const Yaml& name : without->keys.empty() ? without->items : without->keys)
      rule_.without.push_back({name.text});
    for (size_t i = 0; i < without->keys.size(); ++i) rule_.without[i].above = *parse_real(without->items[i].text);
  }

  void read_where() {
    const Yaml* where = node_.find("where");
    if (!where) return;
    for (size_t i = 0; i < where->keys.size(); ++i) {
      const Yaml &axis = where->keys[i], &wanted = where->items[i];
      std::vector<std::string> axes, values;
      for (const Sweep* sweep : sweeps_) {
        for (std::string& name : axis_names(*sweep)) axes.push_back(std::move(name));
        for (std::string& value : axis_spellings(*sweep, axis.text)) values.push_back(std::move(value));
      }
      if (!contains(axes, axis.text)) {
        problems_.add(axis.position,
                      fmt::format("no sweep has the axis \"{}\"{}", axis.text, suggest(axis.text, axes, "there are")));
        continue;
      }
      std::vector<Value> chosen;
      for (const Yaml& scalar : wanted.kind == Yaml::Kind::scalar ? std::vector<Yaml>{wanted} : wanted.items) {
        chosen.push_back(value_of(scalar));
        if (!contains(values, to_string(chosen.back())))
          problems_.add(scalar.position, fmt::format("no case has {}={}; there are {}", axis.text,
                                                     to_string(chosen.back()), join(values, ", ")));
      }
      rule_.where.emplace_back(axis.text, std::move(chosen));
    }
  }

  void read_speed() {
    const Yaml *steps = node_.find("steps"), *linear = node_.find("linear"), *metric = node_.find("metric");
    if (!steps == !linear) return refuse(node_.position, "needs one of the keys \"steps\" and \"linear\"");
    if (metric && !rule_.over.empty()) refuse(metric->position, "has \"metric\" and \"over\"; keep one");
    const MetricInfo& info = *find_metric(text_or(node_, "metric", "speedup"));
    rule_.metric = info.id;
    rule_.between = linear ? Between::linear : Between::steps;
    const Yaml& map = linear ? *linear : *steps;
    for (size_t i = 0; i < map.keys.size(); ++i)
      rule_.thresholds.push_back({*parse_real(map.keys[i].text), *parse_real(map.items[i].text)});
    const bool lower = info.better == MetricInfo::Better::lower && rule_.over.empty();
    std::ranges::sort(rule_.thresholds,
                      [&](auto& a, auto& b) { return lower ? a.value > b.value : a.value < b.value; });
    if (rule_.thresholds.empty()) return refuse(map.position, "has no thresholds");
    for (size_t i = 1; i < rule_.thresholds.size(); ++i) {
      const Threshold &slow = rule_.thresholds[i - 1], &fast = rule_.thresholds[i];
      if (slow.value == fast.value) refuse(map.position, fmt::format("has the threshold {} twice", fast.value));
      if (slow.points > fast.points)
        refuse(map.position, fmt::format("gives {} points at {} and only {} at {}, which is faster", slow.points,
                                         slow.value, fast.points, fast.value));
    }
    rule_.points = rule_.thresholds.back().points;
    check_reference(rule_.over.empty() && info.id == MetricName::speedup ? config_.baseline : rule_.over);
  }

  void check_claim(const Yaml& sentence) {
    if (!rule_.claim || rule_.variant.empty()) return;
    if (std::ranges::none_of(items_of(rule_.claim->form),
                             [&](const claim::Item& item) { return item.variant == rule_.variant; }))
      refuse(sentence.position, fmt::format("has a claim that is not about its variant \"{}\"", rule_.variant));
  }

  void check_reference(const std::string& reference) {
    if (rule_.over.empty() && rule_.metric == MetricName::speedup && reference.empty())
      refuse(node_.position, "is about the speedup, and the config has no \"baseline\"");
    if (!reference.empty() && reference == rule_.variant)
      refuse(node_.position, fmt::format("compares \"{}\" with itself", reference));
  }

  const Yaml& node_;
  const Config& config_;
  Problems& problems_;
  std::vector<const Sweep*> sweeps_;
  Rule rule_;
};

// What others are compared with must be the same for every student.
void check_compared(const GradeRules& grade, const Config& config, Problems& problems) {
  std::vector<std::string> compared = config.vendors;
  compared.push_back(config.baseline);
  for (const Rule& rule : grade.rules) compared.push_back(rule.over);
  for (const Rule& rule : grade.rules)
    if (!rule.variant.empty() && contains(compared, rule.variant))
      problems.add(rule.position,
                   fmt::format("rule \"{}\": students cannot hand in \"{}\", because others are compared "
                               "with it",
                               rule.name, rule.variant));
}

LatePolicy read_late(const Yaml& node, Problems& problems) {
  LatePolicy late;
  if (const Yaml* deadline = node.find("deadline")) {
    late.deadline = deadline->text;
    if (!parse_time(late.deadline))
      problems.add(deadline->position,
                   fmt::format("\"{}\" is not a time such as 2026-11-20T23:59+01:00", late.deadline));
  }
  if (const Yaml* grace = node.find("grace")) late.grace_s = *parse_duration(grace->text);
  if (const Yaml* share = node.find("per_day")) late.per_day = *parse_ratio(share->text);
  if (const Yaml* cut_off = node.find("cut_off")) late.cut_off_s = *parse_duration(cut_off->text);
  if (late.per_day == 0 && !late.cut_off_s)
    problems.add(node.position, "\"late\" costs nothing; give \"per_day\" or \"cut_off\"");
  if (late.cut_off_s && *late.cut_off_s < late.grace_s)
    problems.add(node.position, "\"cut_off\" is shorter than \"grace\"");
  return late;
}

FilePolicy read_files(const Yaml& node) {
  FilePolicy files;
  files.missing = parse_enum<MissingFiles>(text_or(node, "missing", "")).value_or(files.missing);
  files.misnamed = parse_enum<MisnamedFiles>(text_or(node, "misnamed", "")).value_or(files.misnamed);
  files.extra = parse_enum<ExtraFiles>(text_or(node, "extra", "")).value_or(files.extra);
  files.duplicate = parse_enum<DuplicateFiles>(text_or(node, "duplicate", "")).value_or(files.duplicate);
  return files;
}

}  // namespace

bool Rule::looks_at(const std::string& case_variant, const std::string& case_sweep, const Axes& case_axes) const {
  if (case_variant != variant || (!sweep.empty() && case_sweep != sweep)) return false;
  return std::ranges::all_of(where, [&](const auto& condition) {
    const Value* value = find(case_axes, condition.first);
    return value && std::ranges::any_of(condition.second,
                                        [&](const Value& wanted) { return to_string(wanted) == to_string(*value); });
  });
}

double GradeRules::points() const {
  double sum = 0;
  for (const Rule& rule : rules) sum += rule.points;
  return sum;
}

size_t GradeRules::hidden() const { return static_cast<size_t>(std::ranges::count_if(rules, &Rule::hidden)); }

bool GradeRules::hides(const std::string& variant, const std::string& sweep, const Axes& axes) const {
  bool hidden_only = false;
  for (const Rule& rule : rules) {
    if (!rule.looks_at(variant, sweep, axes)) continue;
    if (rule.shows_results()) return false;
    hidden_only = hidden_only || rule.hidden;
  }
  return hidden_only;
}

std::vector<std::string> GradeRules::submitted() const {
  std::vector<std::string> names;
  for (const Rule& rule : rules)
    if (!rule.variant.empty() && !contains(names, rule.variant)) names.push_back(rule.variant);
  return names;
}

std::vector<std::string> compared_variants(const Config& config) {
  std::vector<std::string> names;
  const auto submitted = config.grade->submitted();
  const auto add = [&](const std::string& name) {
    if (!name.empty() && !contains(names, name) && !contains(submitted, name)) names.push_back(name);
  };
  for (const std::string& vendor : config.vendors) add(vendor);
  add(config.baseline);
  for (const Rule& rule : config.grade->rules) {
    add(rule.over);
    if (rule.claim)
      for (const claim::Item& item : items_of(rule.claim->form)) add(item.variant);
  }
  return names;
}

GradeRules read_grade(const Yaml& node, const Config& config, Problems& problems) {
  GradeRules grade;
  if (const Yaml* sanitize = node.find("sanitize")) grade.sanitize = sanitize->text == "true";
  std::map<std::string, int> lines;
  for (const Yaml& rule : node.find("rules")->items) {
    grade.rules.push_back(RuleReader(rule, config, problems).read());
    const Yaml& name = *rule.find("name");
    if (const auto [first, is_new] = lines.emplace(name.text, name.position.line); !is_new)
      problems.add(name.position, fmt::format("duplicate rule \"{}\" (first on line {})", name.text, first->second));
  }
  if (problems.empty() && grade.points() <= 0)
    problems.add(node.find("rules")->position, "the points of all rules are 0 together");
  check_compared(grade, config, problems);
  if (const Yaml* files = node.find("files")) grade.files = read_files(*files);
  if (const Yaml* late = node.find("late")) grade.late = read_late(*late, problems);
  grade.attempts = parse_enum<Attempts>(text_or(node, "attempts", "")).value_or(grade.attempts);
  return grade;
}

}  // namespace harness
