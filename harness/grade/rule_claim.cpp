// A claim about the student's numbers, as in docs/claims.md. What cannot be decided is open.
#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/claims/answer.h"
#include "harness/grade/assessor.h"

namespace harness {
namespace {

// A variant of the lab that the claim compares with and the submission has replaced; empty: none.
std::string replaced_reference(const RuleView& view) {
  const std::vector<std::string> students = view.grade.submitted();
  const auto is_reference = [&](const std::string& name) { return !contains(students, name) && is_replaced(*view.run, name); };
  for (const claim::Item& item : items_of(view.rule.claim->form)) {
    if (is_reference(item.variant)) return item.variant;
    for (const CaseRecord& one : view.run->cases)
      if (const Metric* metric = one.variant == item.variant ? one.find(item.metric) : nullptr; metric && is_reference(metric->over)) return metric->over;
  }
  return "";
}

class ClaimRule final : public Assessor {
 public:
  std::string_view kind() const override { return "claim"; }
  void assess(const RuleView& view, Award& award) const override {
    if (blocked(view, award, "a claim")) return;
    if (const std::string replaced = replaced_reference(view); !replaced.empty()) {
      award.open = award.of;
      award.why = "the submission replaces " + replaced + ", which the claim compares with";
      return;
    }
    std::vector<const CaseRecord*> cases;
    for (const CaseRecord& record : view.run->cases) cases.push_back(&record);
    const AnsweredClaim answered = answer(*view.rule.claim, figures_of(cases));
    award.why = fmt::format("{}: {}", to_string(answered.answer), answered.why);
    if (answered.answer == ClaimAnswer::HOLDS) award.earned = award.of;
    if (answered.answer == ClaimAnswer::UNDECIDED) award.open = award.of;
    if (answered.answer == ClaimAnswer::FAILS) award.next = "it should hold: " + view.rule.claim->text;
  }
};

const ClaimRule claim_rule;
const Register<Assessor> register_claim(&claim_rule);

}  // namespace
}  // namespace harness
