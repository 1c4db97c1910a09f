#include "harness/engine/counts.h"

#include "harness/base/text.h"

namespace harness {
namespace {

// A submission that skips everything must not look like one that passes.
std::map<std::string, std::string> nothing_ran(const Cases& cases) {
  constexpr size_t most_reasons = 2;
  std::map<std::string, std::vector<std::string>> reasons;
  for (const CaseState& s : cases.all)
    if (s.record.owner == "submission") {
      std::vector<std::string>& own = reasons[s.record.variant];
      const std::string& why = s.record.reason;
      if (own.size() < most_reasons && !contains(own, why)) own.push_back(why);
    }
  // A case that was only built, for a device that is not here, is no failure either.
  for (const CaseState& s : cases.all)
    if (s.record.status != Status::SKIPPED || s.evidence.cannot_run) reasons.erase(s.record.variant);
  std::map<std::string, std::string> joined;
  for (const auto& [variant, own] : reasons) joined[variant] = join(own, "; ");
  return joined;
}

}  // namespace

Counts count(const Cases& cases) {
  Counts counts;
  counts.nothing_ran = nothing_ran(cases);
  for (const CaseState& s : cases.all) {
    const Status status = s.record.status;
    if (status == Status::SKIPPED)
      ++counts.skipped;
    else if (status == Status::CANCELLED)
      ++counts.cancelled;
    else if (info(status).fails)
      ++counts.failed;
    else if (status == Status::PASSED)
      ++counts.passed;
    else
      ++counts.unranked[std::string(to_string(status))];
    counts.reused += s.known;
  }
  return counts;
}

ExitCode exit_code(const Counts& counts, const Cases& cases) {
  return counts.cancelled                               ? ExitCode::interrupted
         : counts.failed || !counts.nothing_ran.empty() ? ExitCode::variant_failed
         : cases.all.empty()                            ? ExitCode::nothing_selected
                                                        : ExitCode::ok;
}

}  // namespace harness
