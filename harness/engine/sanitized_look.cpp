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
std::string sanitizer_for(const VariantInfo& variant) {
  const bool races = contains(variant.needs, "threads") && !unable_to_sanitize("thread", variant);
  return races ? "thread" : "address,undefined";
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

PlacedLab with_sanitizers(const PlacedLab& lab, const Build& build) {
  PlacedLab there = lab;
  there.options.sanitize = sanitizer_for(*build.variant);
  return there;
}

void look_with_sanitizers(const PlacedLab& lab, Build& build) {
  const PlacedLab there = with_sanitizers(lab, build);
  auto again = build_again(there, build);
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
