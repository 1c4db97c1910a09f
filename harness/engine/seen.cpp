#include "harness/engine/seen.h"

#include <algorithm>

namespace harness {
namespace {

std::vector<Diagnostic> for_student(const Context& context, const Target& target,
                                       const std::vector<lab_diagnostic>& found) {
  std::error_code error;
  const Locator locator{context.sandbox.get(), context.launcher,
                        {context.root / "labs/lab", context.build_files / "emulator/device"}, target.build.object,
                        fs::canonical(target.variant->file, error)};
  return explain(found, locate(locator, addresses(found)));
}

}  // namespace

std::optional<Failure> mistake_seen(const Context& context, Session& session, Advice advice) {
  const std::vector<lab_diagnostic> found = session.take_diagnostics();
  const bool mistakes = has_mistake(found);
  if (!mistakes && advice == Advice::drop) return std::nullopt;
  Target& target = session.target();
  for (const Diagnostic& f : for_student(context, target, found)) {
    const bool told =
        std::any_of(target.diagnostics.begin(), target.diagnostics.end(), [&](const Diagnostic& other) {
          return other.kind == f.kind && other.line == f.line && other.other_line == f.other_line;
        });
    if (!told && (f.severity == Severity::mistake || advice == Advice::keep)) target.diagnostics.push_back(f);
  }
  for (const Diagnostic& f : target.diagnostics)
    if (const auto status = find_diagnostic_kind(f.kind)->status) {
      const Failure failure{*status, f.what};
      std::erase_if(target.diagnostics, [](const Diagnostic& x) { return x.severity != Severity::mistake; });
      return failure;
    }
  return std::nullopt;
}

}  // namespace harness
