// A claim about the student's numbers, as in docs/claims.md. What cannot be decided is open.
#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/claims/answer.h"
#include "harness/grade/assessor.h"

namespace harness {
namespace {

class ClaimRule final : public Assessor {
 public:
  std::string_view kind() const override { return "claim"; }
  void assess(const RuleView& view, Award& award) const override {
    if (blocked(view, award, "a claim")) return;
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
