#include <algorithm>

#include "harness/grade/assessor.h"

namespace harness {
namespace {

class Builds final : public Assessor {
 public:
  std::string_view kind() const override { return "builds"; }
  void assess(const RuleView& view, Award& award) const override {
    const auto refused = std::ranges::find(view.cases, Status::COMPILE_ERROR, &CaseRecord::status);
    if (refused != view.cases.end()) {
      award.why = "it does not compile";
      award.next = what_is_wrong(**refused);
    } else if (std::ranges::all_of(view.cases, [](const CaseRecord* one) { return is_undecided(*one); })) {
      award.open = award.of;
      award.why = "it was not compiled: " + view.cases.front()->reason;
    } else {
      award.earned = award.of;
      award.why = "it compiles";
    }
  }
};

const Builds builds_rule;
const Register<Assessor> register_builds(&builds_rule);

}  // namespace
}  // namespace harness
