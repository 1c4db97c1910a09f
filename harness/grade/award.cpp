#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "emulator/diagnostics/diagnostics.h"
#include "harness/base/text.h"
#include "harness/grade/assessor.h"

namespace harness {
namespace {

constexpr size_t longest_reason = 400;

const Assessor* find_assessor(std::string_view kind) {
  for (const Assessor* one : registry<Assessor>())
    if (one->kind() == kind) return one;
  return nullptr;
}

/// Two rules for the same would count twice. A rule for some cases of another's may be meant.
bool gives_the_same(const Rule& a, const Rule& b) {
  return a.kind == b.kind && a.kind != "manual" && a.variant == b.variant && a.sweep == b.sweep && a.where == b.where &&
         a.metric == b.metric && a.over == b.over && a.without == b.without &&
         (!a.claim || !b.claim || a.claim->text == b.claim->text);
}

void assess(const Rule& rule, const GradeRules& grade, const Work& work, Award& award) {
  RuleView view{rule, grade, work.run, {}};
  if (!rule.variant.empty()) {
    if (work.run) view.cases = cases_of(rule, work.run->cases);
    for (const CaseRecord* record : view.cases) award.cases.push_back(record->id);
    const bool only_labs = !view.cases.empty() && view.cases.front()->owner == "lab";
    if (!work.refused.empty()) {
      award.why = "nothing was run: " + work.refused;
      return;
    }
    if (contains(work.missing, rule.variant) || only_labs) {
      award.why = fmt::format("\"{}\" is not in the submission", rule.variant);
      award.next = fmt::format("hand in a source file named {0}, for example {0}{1}", rule.variant,
                               starts_with(rule.variant, "gpu") ? ".cu" : ".cpp");
      return;
    }
    if (view.cases.empty()) {
      award.open = rule.points;
      award.why = work.run ? "no case of this rule is in the run" : "nothing was run";
      return;
    }
  }
  find_assessor(rule.kind)->assess(view, award);
}

/// A person has the last word about every rule.
void set_mark(const Rule& rule, const Marks& marks, Award& award) {
  for (const auto& [name, points] : marks)
    if (name == rule.name) {
      const std::string computed = rule.kind == "manual" ? "" : fmt::format("; computed: {:.4g}", award.earned);
      const std::string cut =
          points > rule.points ? fmt::format(", who gave {}", points) : "";  // the rule gave more then
      award.earned = rounded(std::clamp(points, 0.0, rule.points));
      award.why = fmt::format("{} of {} points given by a person{}{}", award.earned, award.of, cut, computed) +
                  (computed.empty() ? "" : ", " + award.why);
      award.open = 0;
    }
}

}  // namespace

double rounded(double points) { return std::round(points * 100) / 100; }

bool is_undecided(const CaseRecord& record) {
  return record.status == Status::CANCELLED || (record.status == Status::SKIPPED && !is_declined(record));
}

bool is_doubted(const CaseRecord& record) { return record.status == Status::SUSPECT; }

bool is_declined(const CaseRecord& record) {
  return std::ranges::any_of(record.notes, [](const Note& note) { return note.code == NoteCode::declined; });
}

bool is_replaced(const RunRecord& run, const std::string& reference) {
  return std::ranges::any_of(
      run.cases, [&](const CaseRecord& one) { return one.variant == reference && one.owner == "submission"; });
}

bool is_right(const CaseRecord& record) {
  return !is_undecided(record) && !is_declined(record) && !info(record.status).fails;
}

std::string short_name(const CaseRecord& record) {
  return record.axes.empty() ? record.variant : record.variant + " " + to_string(record.axes);
}

std::string what_is_wrong(const CaseRecord& record) {
  std::string text = fmt::format("{}: {}", to_string(record.status), record.reason);
  for (const Diagnostic& d : record.diagnostics)
    if (d.severity == Severity::mistake && text.find(d.what) == std::string::npos) {
      text += fmt::format("; {}:{}: {} (usually: {})", d.file, d.line, d.what, d.fix);
      break;
    }
  std::ranges::replace(text, '\n', ' ');
  return printable(text, longest_reason);
}

const CaseRecord* first_failure(const RuleView& view) {
  const CaseRecord* doubted = nullptr;
  for (const CaseRecord& record : view.run->cases) {
    if (record.variant != view.rule.variant || record.owner == "lab") continue;
    if (!view.rule.hidden && view.grade.hides(record.variant, record.sweep, record.axes)) continue;
    if (!is_doubted(record) && (info(record.status).fails || is_declined(record))) return &record;
    if (is_doubted(record) && !doubted) doubted = &record;
  }
  return doubted;
}

bool blocked(const RuleView& view, Award& award, const std::string& what) {
  const CaseRecord* failed = first_failure(view);
  if (!failed) return false;
  award.why = fmt::format("{} counts when all cases of {} are right; {} is {}", what, view.rule.variant, short_name(*failed),
                          to_string(failed->status));
  if (is_doubted(*failed)) {
    award.open = award.of;
    award.why += ", so a person decides";
  } else {
    award.next = "make it right first";
  }
  return true;
}

std::vector<const CaseRecord*> cases_of(const Rule& rule, const std::vector<CaseRecord>& cases) {
  std::vector<const CaseRecord*> found;
  for (const CaseRecord& record : cases)
    if (rule.looks_at(record.variant, record.sweep, record.axes)) found.push_back(&record);
  return found;
}

AwardedPoints award_points(const GradeRules& grade, const Work& work) {
  AwardedPoints points;
  for (const Rule& rule : grade.rules) {
    Award award{rule.name, rule.kind, rule.hidden, 0, rule.points, 0, "", "", {}};
    assess(rule, grade, work, award);
    award.earned = rounded(std::clamp(award.earned, 0.0, rule.points));
    award.open = rounded(std::clamp(award.open, 0.0, rule.points - award.earned));
    set_mark(rule, work.marks, award);
    points.earned += award.earned;
    points.of += award.of;
    points.open += award.open;
    points.rules.push_back(std::move(award));
  }
  points.earned = rounded(points.earned);
  points.open = rounded(points.open);
  return points;
}

Done check_rules(const Config& config) {
  const auto& rules = config.grade->rules;
  for (size_t i = 0; i < rules.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (gives_the_same(rules[i], rules[j]))
        return Error{
            fmt::format("{}: rules \"{}\" and \"{}\" give points for the same cases; keep one, or separate them "
                        "with \"where\"",
                        to_string(rules[i].position), rules[j].name, rules[i].name)};
  for (const Rule& rule : config.grade->rules)
    for (const auto& [name, above] : rule.without)
      if (!find_diagnostic_kind(name)) {
        std::vector<std::string> known;
        for (const DiagnosticKind& kind : diagnostic_kinds()) known.emplace_back(kind.name);
        const std::string meant = did_you_mean(name, known);
        return Error{fmt::format("{}: rule \"{}\": unknown diagnostic \"{}\"{}", to_string(rule.position), rule.name,
                                 name, meant.empty() ? "; there are " + join(known, ", ") : meant)};
      }
  return ok();
}

}  // namespace harness
