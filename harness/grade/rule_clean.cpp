#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/grade/assessor.h"

namespace harness {
namespace {

/// How many times as much as needed the kernel does, or how many times as few lanes work as could.
double waste(const Diagnostic& d) {
  const auto [less, more] = std::minmax(d.have, d.ideal);
  return static_cast<double>(more) / static_cast<double>(std::max<int64_t>(less, 1));
}

bool is_unwanted(const Rule& rule, const Diagnostic& d) {
  if (rule.without.empty()) return d.severity == Severity::mistake;
  return std::ranges::any_of(rule.without, [&](const Unwanted& unwanted) {
    return unwanted.diagnostic == d.kind && (unwanted.above == 0 || waste(d) > unwanted.above);
  });
}

const Diagnostic* first_unwanted(const Rule& rule, const CaseRecord& record) {
  const auto found =
      std::ranges::find_if(record.diagnostics, [&](const Diagnostic& d) { return is_unwanted(rule, d); });
  return found == record.diagnostics.end() ? nullptr : &*found;
}

std::string where(const Diagnostic& d) { return d.file.empty() ? "" : fmt::format("{}:{}: ", d.file, d.line); }

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
        award.next = unwanted ? where(*unwanted) + fmt::format("{} (usually: {})", unwanted->what, unwanted->fix)
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
