#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/grade/assessor.h"

namespace harness {
namespace {

const Diagnostic* first_unwanted(const Rule& rule, const CaseRecord& record) {
  for (const Diagnostic& d : record.diagnostics)
    if (rule.without.empty() ? d.severity == Severity::mistake : contains(rule.without, d.kind)) return &d;
  return nullptr;
}

class Clean final : public Assessor {
 public:
  std::string_view kind() const override { return "clean"; }
  void assess(const RuleView& view, Award& award) const override {
    const bool watched = view.run->emulated && view.run->emulated->diagnostics;
    int clean = 0, undecided = 0;
    for (const CaseRecord* one : view.cases) {
      const Diagnostic* unwanted = first_unwanted(view.rule, *one);
      if (is_undecided(*one) || is_doubted(*one) || one->device != Device::emulated || !watched)
        ++undecided;
      else if (is_right(*one) && !unwanted)
        ++clean;
      else if (award.next.empty())
        award.next = unwanted ? fmt::format("{}:{}: {} (usually: {})", unwanted->file, unwanted->line, unwanted->what,
                                            unwanted->fix)
                              : fmt::format("{}: {}", short_name(*one), what_is_wrong(*one));
    }
    const double all = static_cast<double>(view.cases.size());
    award.earned = award.of * clean / all;
    award.open = award.of * undecided / all;
    award.why = fmt::format("{} of {} clean", clean, counted(static_cast<int64_t>(all), "case"));
    if (undecided) award.why += fmt::format(", {} not seen by the emulated device", undecided);
  }
};

const Clean clean_rule;
const Register<Assessor> register_clean(&clean_rule);

}  // namespace
}  // namespace harness
