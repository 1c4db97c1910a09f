#include "harness/engine/check_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/base/random.h"
#include "harness/base/stopwatch.h"
#include "harness/base/text.h"
#include "harness/engine/build_all.h"
#include "harness/engine/emulated_diagnostics.h"
#include "harness/engine/explain_wrong.h"
#include "harness/engine/sanitized_look.h"

namespace harness {
namespace {

constexpr double least_check_s = 60;  // for all shapes together, however short a case must be
constexpr int drawn_shapes = 40, drawn_shapes_emulated = 3;  // an emulated kernel takes a thousand times as long

// Advice on memory accesses comes from typical problems, without edges.
std::optional<Failure> check_typical(const PlacedLab& lab, Session& session) {
  for (const ProblemPtr& problem : lab.kernel->typical(session.build().dtype, session.build().macros)) {
    auto ran = run_once(session, problem, Fill::reals, Edge::middle, 0);
    if (auto mistake = take_diagnostics(lab, session, Advice::keep, *problem)) return mistake;
    if (!ran && ran.error().status == Status::SKIPPED) continue;
    auto line = check_ran(ran, session.build().precision);
    if (!line) return line.error();
  }
  return std::nullopt;
}

// For a variant that supports none of the problems before: those of a build with large tiles.
void add_large_tiles(const PlacedLab& lab, const Build& build, std::vector<ProblemPtr>& problems) {
  std::set<std::string> known;
  for (const ProblemPtr& p : problems) known.insert(p->label());
  for (ProblemPtr& p : lab.kernel->check_problems(build.dtype, {{"TILE", int64_t{128}}}, build.scalars))
    if (known.insert(p->label()).second) problems.push_back(std::move(p));
}

}  // namespace

Tried<CheckLine> check_problem(const PlacedLab& lab, Session& session, const std::vector<ProblemPtr>& problems,
                               const ProblemPtr& problem, Fill fill, Edge edge, std::optional<bool>* same_bits) {
  auto ran = run_once(session, problem, fill, edge, 0, same_bits);
  if (session.emulated())
    if (auto mistake = take_diagnostics(lab, session, Advice::drop, *problem)) return *mistake;
  auto line = check_drawn(session, problem, fill, edge, 0, ran);
  if (line && same_bits && !session.emulated()) session.build().note_speed(problem->flops(), ran->call_ms * 1e-3);
  if (line || line.error().status == Status::SKIPPED || line.error().by_chance) return line;
  Failure failure = line.error();
  if (ran) {
    explain_wrong(lab, session, problems, {problem, fill, edge}, *ran, failure);
  } else {
    if (session.was_loaded()) failure.message = fmt::format("on {}: {}", problem->label(), failure.message);
    look_on_emulated_device(lab, session, problem, fill);
  }
  return failure;
}

namespace {

Tried<CheckRecord> check_shapes(const PlacedLab& lab, Session& session) {
  const Build& build = session.build();
  if (const auto known = find_precision(build.variant->precision, build.dtype); !known)
    return Failure{Status::COMPILE_ERROR, known.error().message};
  CheckRecord check;
  CheckLine exact{"shapes, exact", true}, real{"shapes, real data", true};
  auto problems = lab.kernel->check_problems(build.dtype, build.macros, build.scalars);
  const size_t usual = problems.size();
  size_t listed = usual;
  int drawn = 0;
  std::string unsupported;  // what the variant says about problems that it does not support
  const Stopwatch watch;
  const double most_s = std::max(least_check_s, lab.config.resources.case_s);
  for (size_t i = 0; i < problems.size(); ++i) {
    const ProblemPtr problem = problems[i];
    const Edge edge = session.edge(i % 2 == 0 ? Edge::end : Edge::start);  // a guard page behind the data, or before it
    bool supported = true;
    for (const Fill fill : {Fill::integers, Fill::reals}) {
      const bool twice = fill == Fill::reals && std::ranges::all_of(problems, [&](const ProblemPtr& other) {
                           return other->flops() <= problem->flops();
                         });
      const auto line = check_problem(lab, session, problems, problem, fill, edge, twice ? &check.deterministic : nullptr);
      // A bound that is relative to the whole result can hide all of a drawn one: a large filter over an image of two pixels.
      if (!line && line.error().by_chance && i >= listed) {
        supported = false;
        break;
      }
      if (!line && line.error().status != Status::SKIPPED) return line.error();
      if (!line) {
        unsupported = line.error().message;
        supported = false;
        break;
      }
      CheckLine& sum = fill == Fill::integers ? exact : real;
      sum.worst_ratio = std::max(sum.worst_ratio, line->worst_ratio);
      sum.worst_ratio_gamma = std::max(sum.worst_ratio_gamma, line->worst_ratio_gamma);
    }
    // Which shapes are drawn must not decide whether a variant supports enough of them.
    if (i < listed)
      ++(supported ? check.shapes : check.left_out);
    else if (supported)
      ++drawn;
    if (watch.s() > most_s)
      return Failure{Status::TIMEOUT, fmt::format("{} of {} shapes of the check took {}; together they may take {}", i + 1,
                                                  problems.size(), human_time(watch.s()), human_time(most_s))};
    if (i + 1 != usual) continue;
    if (check.shapes == 0) add_large_tiles(lab, build, problems);
    listed = problems.size();
    for (ProblemPtr& p : lab.kernel->drawn_problems(build.dtype, build.macros, secret_bits(),
                                                    session.emulated() ? drawn_shapes_emulated : drawn_shapes))
      problems.push_back(std::move(p));
  }
  if (check.shapes == 0)
    return Failure{Status::SKIPPED, fmt::format("on all {} check shapes: {}", check.left_out, unsupported)};
  const int all = check.shapes + check.left_out;
  if (check.shapes < lab.config.least_shapes * all)
    return Failure{Status::WRONG, fmt::format("it supports only {} of the {} shapes of the check, and this lab asks "
                                              "for {:g} % of them: {}",
                                              check.shapes, all, lab.config.least_shapes * 100, unsupported)};
  if (session.emulated())
    if (auto mistake = check_typical(lab, session)) return *mistake;
  if (auto forbidden = session.forbidden_code()) return *forbidden;
  session.unload();
  exact.detail = real.detail = fmt::format("{} shapes and {} drawn at random, guard bands intact", check.shapes, drawn);
  if (check.left_out > 0) exact.detail = real.detail += fmt::format("; {} left out: {}", check.left_out, unsupported);
  check.lines = {exact, real};
  return check;
}

// A race shows only while threads run at the same time, which they seldom do on a busy machine. So the largest problem runs
// again and again.
std::optional<Failure> wrong_in_some_call(const PlacedLab& lab, Session& session) {
  constexpr int most_runs = 200;
  constexpr double most_s = 0.5;
  const Build& build = session.build();
  const auto problems = lab.kernel->check_problems(build.dtype, build.macros, build.scalars);
  const ProblemPtr largest = *std::ranges::max_element(problems, {}, [](const ProblemPtr& problem) { return problem->flops(); });
  const Stopwatch watch;
  for (int i = 0; i < most_runs && watch.s() < most_s; ++i) {
    auto ran = run_once(session, largest, Fill::reals, session.edge(), 0);
    if (!ran) return std::nullopt;
    if (const auto line = check_one_output(ran->inputs, ran->returned, build.precision); !line) return line.error();
  }
  return std::nullopt;
}

// A thread that keeps a shared variable in a register disturbs no other. Without optimization it does. (gcc's thread
// sanitizer finds more, but it does not understand the barriers of OpenMP.)
std::optional<Failure> find_race_without_optimization(const PlacedLab& lab, const Build& build) {
  const auto& needs = build.variant->needs;
  const bool can_race = build.threads > 1 && (contains(needs, "openmp") || contains(needs, "threads"));
  if (!can_race || !lab.options.sanitize.empty() || !lab.options.wrap.empty()) return std::nullopt;
  PlacedLab there = lab;
  there.config.cxx_flags.push_back("-O0");
  auto again = build_again(there, build);
  if (!again) return std::nullopt;  // some intrinsics need optimization
  Session session(there, *again);
  session.expect(Session::Problems::small);
  const auto check = check_shapes(there, session);
  const auto wrong = check ? wrong_in_some_call(there, session) : check.error();
  if (!wrong || wrong->status != Status::WRONG) return std::nullopt;
  return Failure{Status::WRONG, wrong->message + "; right only with optimization: is a variable shared that each "
                                                        "thread needs for itself, or does the call return before its threads have ended?"};
}

}  // namespace

void check_build(const PlacedLab& lab, Session& session) {
  Build& build = session.build();
  session.expect(Session::Problems::small);
  if (auto check = check_shapes(lab, session))
    build.check = *std::move(check);
  else
    build.failed = check.error();
  session.expect(Session::Problems::of_the_case);
  if (build.check) {
    if (auto race = find_race_without_optimization(lab, build)) {
      build.check.reset();
      build.failed = *std::move(race);
    }
  }
  if (build.check && wants_sanitized_look(lab, build)) look_with_sanitizers(lab, build);
}

}  // namespace harness
