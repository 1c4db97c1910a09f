#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/grade/assessor.h"

namespace harness {
namespace {

class Correct final : public Assessor {
 public:
  std::string_view kind() const override { return "correct"; }
  void assess(const RuleView& view, Award& award) const override {
    const auto count = [&](bool (*is)(const CaseRecord&)) {
      return static_cast<double>(std::ranges::count_if(view.cases, [&](const CaseRecord* one) { return is(*one); }));
    };
    const double all = static_cast<double>(view.cases.size()), right = count(is_right), not_run = count(is_undecided),
                 doubted = count(is_doubted), undecided = not_run + doubted;
    if (view.rule.credit == Credit::share) {
      award.earned = award.of * right / all;
      award.open = award.of * undecided / all;
    } else {
      award.earned = right == all ? award.of : 0;
      award.open = right + undecided == all && undecided > 0 ? award.of : 0;
    }
    award.why = fmt::format("{} of {} right", right, counted(static_cast<int64_t>(all), "case"));
    for (const CaseRecord* one : view.cases)
      if (is_undecided(*one)) {
        award.why += fmt::format(", {} not run: {}", not_run, one->reason);
        break;
      }
    for (const CaseRecord* one : view.cases)
      if (is_doubted(*one)) {
        award.why += fmt::format(", {} SUSPECT, so a person decides", doubted);
        break;
      }
    for (const CaseRecord* one : view.cases)
      if (info(one->status).fails || is_declined(*one)) {
        award.next = fmt::format("{}: {}", short_name(*one), what_is_wrong(*one));
        break;
      }
  }
};

const Correct correct_rule;
const Register<Assessor> register_correct(&correct_rule);

}  // namespace
}  // namespace harness
