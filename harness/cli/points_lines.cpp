#include "harness/cli/points_lines.h"

#include <fmt/format.h>

#include "harness/base/language.h"
#include "harness/base/text.h"
#include "harness/cli/progress.h"

namespace harness {

std::string points_lines(const AwardedPoints& points) {
  std::string text = tr("points") + "\n";
  double earned = 0, of = 0, open = 0;
  int hidden = 0;
  for (const Award& award : points.rules) {
    hidden += award.hidden;
    if (award.hidden) continue;
    earned += award.earned;
    of += award.of;
    open += award.open;
    text += tr("{:>8} of {:<6} {:<20} {}{}\n", fmt::format("{:.4g}", award.earned), fmt::format("{:.4g}", award.of),
               award.rule, below(told(award.why), ""), award.open > 0 ? tr(" ({:.4g} points open)", award.open) : "");
    if (!award.next.empty()) text += below(told(award.next), std::string(20, ' ')) + "\n";
  }
  text += tr("{:>8} of {:<6} together{}\n", fmt::format("{:.4g}", earned), fmt::format("{:.4g}", of),
             open > 0 ? tr(", {:.4g} points open", open) : "");
  if (hidden) text += tr("{} more counted when the class is graded\n", tr_counted(hidden, "rule"));
  return text;
}

std::string rules_lines(const GradeRules& grade, const std::vector<CaseRecord>& cases) {
  constexpr size_t most_shown = 3;
  std::string text = "\npoints\n";
  double visible = 0;
  for (const Rule& rule : grade.rules) {
    if (rule.hidden) continue;
    visible += rule.points;
    const auto counted_cases = cases_of(rule, cases);
    text += fmt::format("{:>8}  {:<20} {}", fmt::format("{:.4g}", rule.points), rule.name, rule.kind);
    if (!rule.variant.empty())
      text += fmt::format(" of {}: {}", rule.variant, counted(static_cast<int64_t>(counted_cases.size()), "case"));
    for (size_t i = 0; i < counted_cases.size() && i < most_shown; ++i)
      text += (i ? "; " : ", ") + to_string(counted_cases[i]->axes);
    text += counted_cases.size() > most_shown ? "; ...\n" : "\n";
    if (!rule.about.empty()) text += std::string(10, ' ') + rule.about + "\n";
    for (const Threshold& t : rule.thresholds)
      text += fmt::format("{:>18}  from {} {:.4g}{}\n", fmt::format("{:.4g}", t.points),
                          rule.over.empty() ? to_string(rule.metric) : "speedup over " + rule.over, t.value,
                          rule.between == Between::linear ? ", growing evenly" : "");
  }
  return text + fmt::format("{:>8}  together\n", fmt::format("{:.4g}", visible));
}

}  // namespace harness
