#include "harness/cli/emulated_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/language.h"
#include "harness/base/text.h"
#include "harness/cli/progress.h"
#include "harness/engine/check_case.h"

namespace harness {
namespace {

std::string macros_of(const CaseRecord& record) {
  Axes macros;
  for (const auto& axis : record.axes)
    if (is_macro(axis.first)) macros.push_back(axis);
  return to_string(macros);
}

std::string counts(const std::vector<Diagnostic>& diagnostics) {
  const auto mistakes =
      std::ranges::count_if(diagnostics, [](const Diagnostic& d) { return d.severity == Severity::mistake; });
  const auto hints = std::ssize(diagnostics) - mistakes;
  return (mistakes > 0 ? ", " + tr_counted(mistakes, "mistake") : "") +
         (hints > 0 ? ", " + tr_counted(hints, "hint") : "");
}

bool ran_reduced(const CheckLine& line) { return line.name == reduced_size; }

std::string position(const Diagnostic& d) { return d.file.empty() ? d.kernel : fmt::format("{}:{}", d.file, d.line); }

}  // namespace

void EmulatedLines::ended(const CaseRecord& record, Show show, const Print& print) {
  if (show == Show::everything && std::ranges::any_of(record.check.lines, ran_reduced)) ++reduced_;
  const std::string macros = macros_of(record);
  const std::string build = macros.empty() ? record.variant : record.variant + " " + macros;
  const auto key = fmt::format("{} {} {}", build, to_string(record.dtype), to_string(record.status));
  if (!builds_.insert(key).second) return;
  if (show == Show::failures && !info(record.status).fails) return;
  const bool passed = record.status == Status::PASSED;
  std::string line = tr("{}{}: {} (emulated){}", build, whose(record),
                        passed ? tr("passed") : std::string(to_string(record.status)), counts(record.diagnostics));
  if (!record.reused_from.empty()) line += tr("  (known)");
  // If the reason is a mistake that the device saw, it is shown with the other diagnostics.
  const bool shown_below =
      std::ranges::any_of(record.diagnostics, [&](const Diagnostic& d) { return d.what == record.reason; });
  if (!passed && !shown_below) line += reason_below(record, "  ");
  print(line);
  for (const Diagnostic& d : record.diagnostics) {
    const std::string where = fmt::format("{} {} {}", record.variant, position(d), d.kind);
    auto shown = std::ranges::find_if(diagnostics_, [&](const Shown& s) { return s.key == where; });
    if (shown == diagnostics_.end())
      shown = diagnostics_.insert(
          shown, {where, tr("{}: {}\n  usually: {}", position(d), told(printable(d.what, 1000)), told(d.fix)), {}});
    if (!macros.empty() && !contains(shown->builds, macros)) shown->builds.push_back(macros);
  }
}

void EmulatedLines::end(const Print& print) const {
  for (const Shown& shown : diagnostics_)
    print(shown.text + (shown.builds.size() > 1 ? tr("\n  seen with {}", join(shown.builds, ", ")) : ""));
  if (reduced_ > 0)
    print(tr("{} too large for the emulated device: checked at a smaller size with the same proportions",
             tr_counted(reduced_, "case")));
}

}  // namespace harness
