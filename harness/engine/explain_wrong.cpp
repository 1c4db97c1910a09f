#include "harness/engine/explain_wrong.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/engine/build_all.h"
#include "harness/engine/emulated_diagnostics.h"

namespace harness {
namespace {

bool can_race(Session& session) {
  const std::vector<std::string>& needs = session.build().variant->needs;
  return session.gpu() || contains(needs, "threads") || contains(needs, "openmp");
}

// Runs the problem again, twice at a time on the same data.
bool differs_again(Session& session, const ProblemPtr& problem, Fill fill, Edge edge) {
  constexpr int tries = 3;
  for (int i = 0; i < tries; ++i) {
    std::optional<bool> same;
    const auto ran = run_once(session, problem, fill, edge, 0, &same);
    if (!ran) return false;
    if (same == false) return true;
  }
  return false;
}

// True if the output for the same data is right in a new process: then only the earlier calls can explain what is wrong.
bool right_in_new_process(Session& session, Ran& wrong) {
  constexpr int tries = 2;
  for (int i = 0; i < tries; ++i) {
    session.end();
    wrong.returned.reset(wrong.inputs);
    if (!session.load(wrong.inputs, wrong.returned) || !session.run(protocol::Cache::hot, {}, 0) || !session.fetch() ||
        !check_one_output(wrong.inputs, wrong.returned, session.build().precision))
      return false;
  }
  return true;
}

// The largest problem with a wrong output shows the pattern of a mistake best, and whole numbers show more than others.
// Returns what is shown.
HowRun explain_on_largest(Session& session, std::vector<ProblemPtr> problems, const HowRun& how, Failure& failure) {
  std::ranges::stable_sort(problems, std::greater(), [](const ProblemPtr& problem) { return problem->flops(); });
  for (const ProblemPtr& problem : problems) {
    if (problem == how.problem) break;
    for (const Fill fill : {Fill::integers, Fill::reals}) {
      // A pattern in other numbers is seen best in short sums.
      if (fill == Fill::reals && (how.fill == Fill::integers || failure.shows == Failure::Shows::pattern)) continue;
      auto ran = run_once(session, problem, fill, how.edge, 0);
      if (!ran && ran.error().status == Status::SKIPPED) continue;
      if (!ran) return how;
      const auto line = check_one_output(ran->inputs, ran->returned, session.build().precision);
      if (line || line.error().status != Status::WRONG) continue;
      // NaN everywhere says less than wrong numbers with a pattern.
      if (line.error().shows == Failure::Shows::not_a_number && failure.shows == Failure::Shows::pattern) {
        failure.message += fmt::format("; the largest shape that fails is {}, with NaN", problem->label());
        return how;
      }
      failure.message = line.error().message + "; " + fmt::format("the first shape that fails is {}", how.problem->label());
      failure.shows = line.error().shows;
      return {problem, fill, how.edge};
    }
  }
  return how;
}

// A variable that is never set explains any wrong output, and so do two names of the same shared memory.
void add_warnings(const Build& build, Failure& failure) {
  for (const std::string& warning : build.warnings)
    if (warning.find("uninitialized") != std::string::npos || warning.find("extern __shared__") != std::string::npos)
      failure.message += "; the compiler says: " + warning;
}

}  // namespace

void look_on_emulated_device(const PlacedLab& lab, Session& session, const ProblemPtr& problem, Fill fill) {
  const Toolchain& emulated = *find_toolchain("emulated");
  Build& build = session.build();
  const bool looked = session.emulated() && lab.options.device.watch == Watch::diagnostics;
  if (!session.gpu() || looked || emulated.unable(lab.machine) ||
      std::ranges::any_of(build.variant->needs, [&](const std::string& need) { return bool(emulated.lacks(need)); }))
    return;
  PlacedLab there = lab;
  there.gpu_toolchain = &emulated;
  there.gpu.reset();
  there.options.device.watch = Watch::diagnostics;
  there.architecture.clear();
  auto again = build_again(there, build);
  if (!again) return;
  Session emulation(there, *again);
  (void)run_once(emulation, problem, fill, Edge::middle, 0);
  (void)take_diagnostics(there, emulation, Advice::drop, *problem);
  build.diagnostics = again->diagnostics;
}

void explain_wrong(const PlacedLab& lab, Session& session, const std::vector<ProblemPtr>& problems, const HowRun& how,
                   Ran& wrong, Failure& failure) {
  HowRun shown = how;
  if (failure.status == Status::WRONG) {
    if ((!can_race(session) || session.emulated()) && right_in_new_process(session, wrong)) {
      failure.message +=
          "; right in a new process, wrong after earlier calls: does it keep something between calls, as a static variable "
          "or memory that it does not clear, or a variable that it never sets?";
      failure.shows = Failure::Shows::pattern;
      add_warnings(session.build(), failure);
      return;
    }
    shown = explain_on_largest(session, problems, how, failure);
    if (can_race(session) && differs_again(session, shown.problem, shown.fill, how.edge)) {
      failure.message += session.emulated() ? "; differs between calls with the same data: does it depend on the order of blocks and "
                                              "threads, or keep something between calls?"
                                            : "; differs between runs: a race?";
    } else if (shown.fill == Fill::reals && failure.shows == Failure::Shows::nothing) {
      failure.message += "; right with whole numbers other than 0: does it treat 0 in another way, or round its inputs?";
    }
    add_warnings(session.build(), failure);
  }
  look_on_emulated_device(lab, session, shown.problem, shown.fill);
}

}  // namespace harness
