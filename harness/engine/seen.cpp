#include "harness/engine/seen.h"

namespace harness {
namespace {

std::vector<KernelFinding> for_student(const Context& context, const Target& target,
                                 const std::vector<lab_finding>& found) {
  std::error_code error;
  const Locator locator{context.sandbox, context.helper, context.root / "labs", target.build.object,
                        fs::canonical(target.variant->file, error)};
  return explain(found, locate(locator, addresses(found)));
}

}  // namespace

std::optional<Failure> mistake_seen(const Context& context, Session& session, Advice advice) {
  const std::vector<lab_finding> found = session.take_findings();
  const bool mistakes = has_mistake(found);
  if (!mistakes && advice == Advice::drop) return std::nullopt;
  Target& target = session.target();
  target.findings = for_student(context, target, found);
  if (!mistakes) return std::nullopt;
  std::erase_if(target.findings, [](const KernelFinding& f) { return f.severity != Severity::mistake; });
  const KernelFinding& first = target.findings.front();
  return Failure{*find_finding_kind(first.kind)->status, first.what};
}

}  // namespace harness
