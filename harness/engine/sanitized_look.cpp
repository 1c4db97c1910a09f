#include "harness/engine/sanitized_look.h"

#include "harness/base/interrupt.h"
#include "harness/base/stopwatch.h"
#include "harness/base/text.h"
#include "harness/engine/build_all.h"
#include "harness/engine/check_call.h"
#include "harness/sanitize/sanitize.h"

namespace harness {
namespace {

constexpr double most_s = 20;  // for one build: small problems come first, and show most mistakes

// Threads need one sanitizer, and everything else another: gcc has no build with both.
bool looks_for_races(const VariantInfo& variant) {
  return contains(variant.needs, "threads") && !unable_to_sanitize("thread", variant);
}

Diagnostic diagnostic_of(const SanitizerReport& report, const Build& build) {
  Diagnostic d;
  d.kind = report.kind;
  d.kernel = build.variant->name;
  d.file = report.file;
  d.line = report.line;
  d.other_file = report.other_file;
  d.other_line = report.other_line;
  d.what = report.what;
  d.fix = report.fix;
  d.count = 1;
  return d;
}

}  // namespace

bool wants_sanitized_look(const PlacedLab& lab, const Build& build) {
  return lab.options.sanitize_submission && build.variant->from_submission && !build.variant->gpu &&
         lab.options.wrap.empty() && lab.options.sanitize.empty();
}

std::optional<Build> build_with_sanitizers(PlacedLab& there, const Build& build) {
  if (looks_for_races(*build.variant)) {
    there.options.sanitize = "thread";
    auto built = build_again(there, build);
    if (!built || !unable_to_sanitize("thread", built->result.log)) return built;
  }
  there.options.sanitize = "address,undefined";
  return build_again(there, build);
}

void look_with_sanitizers(const PlacedLab& lab, Build& build) {
  PlacedLab there = lab;
  auto again = build_with_sanitizers(there, build);
  if (!again) return;
  Session session(there, *again);
  session.expect(Session::Problems::small);
  const Stopwatch watch;
  for (const ProblemPtr& problem : lab.kernel->check_problems(build.dtype, build.macros, build.scalars)) {
    if (interrupted() || watch.s() > most_s) return;
    if (run_once(session, problem, Fill::integers, Edge::middle, 0)) continue;
    if (const auto report = find_sanitizer_report(session.printed(), build.variant->file)) {
      build.diagnostics.push_back(diagnostic_of(*report, build));
      return;
    }
  }
}

}  // namespace harness
