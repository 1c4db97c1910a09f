#include "harness/engine/emulated_diagnostics.h"

#include <algorithm>

namespace harness {

Locator locator_of(const PlacedLab& lab, const Build& build) {
  std::error_code error;
  return {lab.sandbox.get(),
          lab.launcher,
          {lab.root / "labs/lab", lab.build_files / "emulator/device"},
          build.result.object,
          fs::canonical(build.variant->file, error)};
}

static NamedBuffers named_buffers(const Problem& problem) {
  NamedBuffers all;
  for (const BufferSpec& b : problem.buffers())
    all.push_back({b.name, b.rows, b.cols, b.ld, static_cast<int64_t>(size_of(problem.dtype()))});
  return all;
}

std::optional<Failure> take_diagnostics(const PlacedLab& lab, Session& session, Advice advice, const Problem& problem) {
  const std::vector<lab_diagnostic> found = session.take_diagnostics();
  if (!has_mistake(found) && advice == Advice::drop) return std::nullopt;
  Build& build = session.build();
  const Locator locator = locator_of(lab, build);
  for (const Diagnostic& d : explain(found, locate(locator, addresses(found)), named_buffers(problem))) {
    const bool known = std::ranges::any_of(build.diagnostics, [&](const Diagnostic& other) {
      return other.kind == d.kind && other.line == d.line && other.other_line == d.other_line;
    });
    if (!known && (d.severity == Severity::mistake || advice == Advice::keep)) build.diagnostics.push_back(d);
  }
  for (const Diagnostic& d : build.diagnostics)
    if (const auto status = find_diagnostic_kind(d.kind)->status) {
      const Failure failure{*status, d.what};
      std::erase_if(build.diagnostics, [](const Diagnostic& x) { return x.severity != Severity::mistake; });
      return failure;
    }
  return std::nullopt;
}

}  // namespace harness
