#include "harness/engine/check_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
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
constexpr int64_t most_near_bytes = 256 << 20;
constexpr double most_emulated_near_flops = 5e6;
constexpr int most_draws = 8;  // of one problem, while an output of zeros would still pass

}  // namespace

Tried<Ran> run_once(Session& session, const ProblemPtr& problem, Fill fill, Edge edge, double expected_s,
                    std::optional<bool>* same_bits) {
  const auto out_of_memory = [](const Error& e) { return Failure{Status::OUT_OF_MEMORY, e.message}; };
  auto inputs = Inputs::draw(problem, fill, secret_bits(), edge);
  if (!inputs) return out_of_memory(inputs.error());
  auto returned = ReturnedRegions::make(*inputs, session.placement());
  if (!returned) return out_of_memory(returned.error());
  TRY(session.load(*inputs, *returned));
  TRY_ASSIGN(const Answered call, session.run(protocol::Cache::hot, {}, expected_s));
  TRY(session.fetch());
  if (same_bits) {
    const auto bytes = static_cast<size_t>(problem->output().bytes(problem->dtype()));
    const std::vector<std::byte> first(returned->output().data(), returned->output().data() + bytes);
    returned->reset(*inputs);
    TRY(session.run(protocol::Cache::hot, {Data::Kind::restored}, expected_s));
    TRY(session.fetch());
    *same_bits = std::memcmp(first.data(), returned->output().data(), bytes) == 0;
  }
  // More time than the harness waited would raise the limits of later calls.
  return Ran{*std::move(inputs), *std::move(returned), std::min(call.claimed_ms, call.outside_ms)};
}

Failure zeros_would_pass(const Problem& problem) {
  return {Status::MISTRUSTED, fmt::format("on {}: an output of zeros would have passed", problem.label())};
}

namespace {

Tried<CheckLine> check_ran(const std::string& name, Tried<Ran>& ran, const Precision& precision) {
  if (!ran) return ran.error();
  TRY_ASSIGN(const CheckLine line, check_one_output(name, ran->inputs, ran->returned, precision));
  if (line.weak) return zeros_would_pass(ran->inputs.problem());
  return line;
}

// A single cell may be near 0 by chance, so that the rounding of inputs explains it. Other data decides.
Tried<CheckLine> check_drawn(const std::string& name, Session& session, const ProblemPtr& problem, Fill fill, Edge edge,
                             double expected_s, Tried<Ran>& ran, const Precision& precision) {
  auto line = check_ran(name, ran, precision);
  for (int draw = 1; draw < most_draws && !line && line.error().status == Status::MISTRUSTED; ++draw) {
    ran = run_once(session, problem, fill, edge, expected_s);
    line = check_ran(name, ran, precision);
  }
  return line;
}

// Advice on memory accesses comes from typical problems, without edges.
std::optional<Failure> check_typical(const PlacedLab& lab, Session& session, const Precision& precision) {
  for (const ProblemPtr& problem : lab.kernel->typical(session.build().dtype, session.build().macros)) {
    auto ran = run_once(session, problem, Fill::reals, Edge::middle, 0);
    if (auto mistake = take_diagnostics(lab, session, Advice::keep, *problem)) return mistake;
    if (!ran && ran.error().status == Status::SKIPPED) continue;
    auto line = check_ran("", ran, precision);
    if (!line) return line.error();
  }
  return std::nullopt;
}

}  // namespace

Tried<CheckLine> check_one_output(const std::string& name, const Inputs& inputs, ReturnedRegions& returned,
                                  const Precision& precision) {
  const Problem& problem = inputs.problem();
  if (const ReturnedRegions::Damage damage = returned.damage(inputs); !damage.message.empty())
    return Failure{damage.input_modified ? Status::INPUT_MODIFIED : Status::OUT_OF_BOUNDS,
                   fmt::format("on {}: {}", problem.label(), damage.message)};
  const CheckResult result =
      check_output(problem, inputs.fill(), inputs.pristine(), returned.output().data(), precision, secret_bits());
  if (!result.right) {
    Failure wrong{Status::WRONG, fmt::format("{}on {}: {}", name == timed_output ? "output of a timed call, " : "",
                                             problem.label(), result.message)};
    wrong.shows = std::isnan(result.got) ? Failure::Shows::not_a_number
                  : result.explained     ? Failure::Shows::pattern
                                         : Failure::Shows::nothing;
    return wrong;
  }
  return CheckLine{
      name.empty() ? std::string(to_string(result.method)) : name, true, result.worst_ratio, result.worst_ratio_gamma,
      fmt::format("{} {} compared", result.compared, result.method == Method::projection ? "lines" : "cells"), result.weak};
}

Tried<Precision> declared_precision(const Build& build) {
  const auto found = find_precision(build.variant->precision, build.dtype);
  if (!found) return Failure{Status::COMPILE_ERROR, found.error().message};
  return *found;
}

// For a variant that supports none of the problems before: those of a build with large tiles.
static void add_large_tiles(const PlacedLab& lab, const Build& build, const Axes& scalars,
                            std::vector<ProblemPtr>& problems) {
  std::set<std::string> known;
  for (const ProblemPtr& p : problems) known.insert(p->label());
  for (ProblemPtr& p : lab.kernel->check_problems(build.dtype, {{"TILE", int64_t{128}}}, scalars))
    if (known.insert(p->label()).second) problems.push_back(std::move(p));
}

// A failure says what helps to find the mistake.
static Tried<CheckLine> check_shape(const PlacedLab& lab, Session& session, const std::vector<ProblemPtr>& problems,
                                    const ProblemPtr& problem, Fill fill, Edge edge, const Precision& precision,
                                    std::optional<bool>* same_bits) {
  auto ran = run_once(session, problem, fill, edge, 0, same_bits);
  if (session.emulated())
    if (auto mistake = take_diagnostics(lab, session, Advice::drop, *problem)) return *mistake;
  auto line = check_drawn("", session, problem, fill, edge, 0, ran, precision);
  if (line && same_bits && !session.emulated()) session.build().note_speed(problem->flops(), ran->call_ms * 1e-3);
  if (line || line.error().status == Status::SKIPPED) return line;
  Failure failure = line.error();
  if (ran) {
    explain_wrong(lab, session, problems, {problem, fill, edge, precision}, *ran, failure);
  } else {
    if (session.was_loaded()) failure.message = fmt::format("on {}: {}", problem->label(), failure.message);
    look_on_emulated_device(lab, session, problem, fill);
  }
  return failure;
}

static Tried<CheckRecord> check_shapes(const PlacedLab& lab, Session& session, const Axes& scalars) {
  const Build& build = session.build();
  TRY_ASSIGN(const Precision precision, declared_precision(build));
  CheckRecord check;
  CheckLine exact{"shapes, exact", true}, real{"shapes, real data", true};
  auto problems = lab.kernel->check_problems(build.dtype, build.macros, scalars);
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
      const auto line = check_shape(lab, session, problems, problem, fill, edge, precision,
                                    twice ? &check.deterministic : nullptr);
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
    if (check.shapes == 0) add_large_tiles(lab, build, scalars, problems);
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
    if (auto mistake = check_typical(lab, session, precision)) return *mistake;
  if (auto forbidden = session.forbidden_code()) return *forbidden;
  session.unload();
  exact.detail = real.detail = fmt::format("{} shapes and {} drawn at random, guard bands intact", check.shapes, drawn);
  if (check.left_out > 0) exact.detail = real.detail += fmt::format("; {} left out: {}", check.left_out, unsupported);
  check.lines = {exact, real};
  return check;
}

// A race shows only while threads run at the same time, which they seldom do on a busy machine. So the largest problem runs
// again and again.
static std::optional<Failure> wrong_in_some_call(const PlacedLab& lab, Session& session, const Axes& scalars) {
  constexpr int most_calls = 200;
  constexpr double most_s = 0.5;
  const Build& build = session.build();
  const auto precision = declared_precision(build);
  const auto problems = lab.kernel->check_problems(build.dtype, build.macros, scalars);
  const ProblemPtr largest = *std::ranges::max_element(problems, {}, [](const ProblemPtr& problem) { return problem->flops(); });
  const Stopwatch watch;
  for (int i = 0; precision && i < most_calls && watch.s() < most_s; ++i) {
    auto ran = run_once(session, largest, Fill::reals, session.edge(), 0);
    if (!ran) return std::nullopt;
    if (const auto line = check_one_output("", ran->inputs, ran->returned, *precision); !line) return line.error();
  }
  return std::nullopt;
}

// A thread that keeps a shared variable in a register disturbs no other. Without optimization it does. (gcc's thread
// sanitizer finds more, but it does not understand the barriers of OpenMP.)
static std::optional<Failure> find_race_without_optimization(const PlacedLab& lab, const Build& build, const Axes& scalars) {
  const auto& needs = build.variant->needs;
  const bool can_race = build.threads > 1 && (contains(needs, "openmp") || contains(needs, "threads"));
  if (!can_race || !lab.options.sanitize.empty() || !lab.options.wrap.empty()) return std::nullopt;
  PlacedLab there = lab;
  there.config.cxx_flags.push_back("-O0");
  Build again = build.to_build_again();
  auto built = make_builder(there).build(*build.variant, build.macros, there.toolchain(*build.variant));
  if (!built || !built->error.empty()) return std::nullopt;  // some intrinsics need optimization
  again.result = *std::move(built);
  Session session(there, again);
  session.expect(Session::Problems::small);
  const auto check = check_shapes(there, session, scalars);
  const auto wrong = check ? wrong_in_some_call(there, session, scalars) : check.error();
  if (!wrong || wrong->status != Status::WRONG) return std::nullopt;
  return Failure{Status::WRONG, wrong->message + "; right only with optimization: is a variable shared that each "
                                                        "thread needs for itself, or does the call return before its threads have ended?"};
}

void check_build(const PlacedLab& lab, Session& session, const Axes& scalars) {
  Build& build = session.build();
  session.expect(Session::Problems::small);
  if (auto check = check_shapes(lab, session, scalars))
    build.check = *std::move(check);
  else
    build.failed = check.error();
  session.expect(Session::Problems::of_the_case);
  if (build.check) {
    if (auto race = find_race_without_optimization(lab, build, scalars)) {
      build.check.reset();
      build.failed = *std::move(race);
    }
  }
  if (build.check && wants_sanitized_look(lab, build)) look_with_sanitizers(lab, build, scalars);
}

ProblemPtr emulated_problem(const PlacedLab& lab, const ProblemPtr& problem) {
  // Two seconds or so on a usual core, and less than the time limit of a case on a slow one.
  const double most_flops = std::min(4e7, 4.5e6 * lab.config.resources.case_s);
  constexpr int64_t most_bytes = 32 << 20;
  return lab.kernel->reduced(*problem, most_flops, most_bytes);
}

static Build::Emulated run_emulated(const PlacedLab& lab, Session& session, const ProblemPtr& problem,
                                    const Precision& precision) {
  Build::Emulated seen;
  auto ran = run_once(session, problem, Fill::integers, Edge::middle, 0);
  seen.failed = take_diagnostics(lab, session, Advice::drop, *problem);
  seen.diagnostics = session.build().diagnostics;
  if (seen.failed) return seen;
  if (auto line = check_ran("", ran, precision))
    seen.line = *line;
  else
    seen.failed = line.error();
  return seen;
}

// The second call has new data in the same buffers: a variant may keep what it computed from the old ones.
static std::optional<Failure> run_emulated_twice(const PlacedLab& lab, Session& session, const ProblemPtr& problem,
                                                 const Precision& precision) {
  auto ran = run_once(session, problem, Fill::reals, Edge::middle, 0);
  if (auto mistake = take_diagnostics(lab, session, Advice::drop, *problem)) return mistake;
  if (!ran) return ran.error();
  // A line may be weak: one sum may be near 0 by chance.
  if (const auto line = check_one_output("", ran->inputs, ran->returned, precision); !line) return line.error();
  const uint64_t salt = secret_bits();
  const auto again = session.run(protocol::Cache::hot, {Data::Kind::fresh, salt}, 0);
  const auto fetched = again ? session.fetch_output_of_call(ran->returned) : Tried<Fetched>(again.error());
  if (auto mistake = take_diagnostics(lab, session, Advice::drop, *problem)) return mistake;
  if (!fetched) return fetched.error();
  const auto fresh = ran->inputs.refreshed(salt);
  if (!fresh) return Failure{Status::OUT_OF_MEMORY, fresh.error().message};
  const auto line = check_one_output("", *fresh, ran->returned, precision);
  if (line) return std::nullopt;
  Failure failure = line.error();
  failure.message += "; this is the second call, with new data in the same buffers: does it keep something of the first one?";
  return failure;
}

std::optional<Failure> check_emulated_case(const PlacedLab& lab, Session& session, const ProblemPtr& own,
                                           const Precision& precision, CheckRecord& check) {
  const ProblemPtr problem = emulated_problem(lab, own);
  if (!problem) return std::nullopt;
  Build& build = session.build();
  auto known = build.emulated.find(problem->label());
  if (known == build.emulated.end()) {
    Build::Emulated seen = run_emulated(lab, session, problem, precision);
    if (const auto near = lab.kernel->reduced(*problem, most_emulated_near_flops, most_near_bytes); near && !seen.failed)
      for (const ProblemPtr& other : lab.kernel->neighbours(*near, secret_bits(), 1))
        if (auto failed = run_emulated_twice(lab, session, other, precision); failed && failed->status != Status::SKIPPED) {
          seen.failed = std::move(failed);
          seen.diagnostics = build.diagnostics;
        }
    if (seen.failed && seen.failed->status == Status::CANCELLED) return seen.failed;
    known = build.emulated.emplace(problem->label(), std::move(seen)).first;
  }
  const Build::Emulated& seen = known->second;
  build.diagnostics = seen.diagnostics;
  const bool is_reduced = problem->label() != own->label();
  // The reduced size stands in for this one. Without it, nothing but the small shapes has run.
  if (seen.failed && seen.failed->status == Status::SKIPPED && is_reduced)
    return Failure{Status::SKIPPED, fmt::format("on the reduced size {}: {}", problem->label(), seen.failed->message)};
  if (seen.failed) return seen.failed;
  CheckLine line = *seen.line;
  line.name = is_reduced ? reduced_size : "own size, exact";
  line.detail = fmt::format("{}: {}", problem->label(), line.detail);
  check.lines.push_back(std::move(line));
  return std::nullopt;
}

double estimated_check_s(const Problem& problem) {
  double elements = 0;
  for (const BufferSpec& spec : problem.buffers()) elements += static_cast<double>(spec.elements());
  constexpr double some_cells = 2025;
  const double reference = checks_every_cell(problem)
                               ? problem.flops() * 0.5e-9
                               : some_cells * static_cast<double>(problem.reduction_length()) * 4e-9;
  return 3e-4 + reference + elements * 1e-8;
}

// Two problems that take at most about as long as the case, and smaller ones, which take little time. A variant may decline them.
static Tried<CheckLine> check_near(const PlacedLab& lab, Session& session, const Problem& own, const Precision& precision) {
  constexpr int large_ones = 2, small_ones = 5;
  std::vector<ProblemPtr> near = lab.kernel->neighbours(own, secret_bits(), large_ones);
  if (const ProblemPtr small = lab.kernel->reduced(own, own.flops() / 8, most_near_bytes))
    for (ProblemPtr& p : lab.kernel->neighbours(*small, secret_bits(), small_ones)) near.push_back(std::move(p));
  Tried<CheckLine> sum = Failure{Status::SKIPPED, ""};
  int supported = 0;
  for (const ProblemPtr& problem : near) {
    const auto line = check_shape(lab, session, {}, problem, Fill::integers, session.edge(), precision, nullptr);
    // An output of zeros may pass by chance, which is no mistake of the variant. The check of the case itself finds all other
    // reasons for MISTRUSTED.
    if (!line && (line.error().status == Status::SKIPPED || line.error().status == Status::MISTRUSTED)) continue;
    if (!line) {
      Failure failure = line.error();
      if (failure.status == Status::WRONG || failure.status == Status::OUT_OF_BOUNDS)
        failure.message += "; small problems come out right: does it compute larger ones in another way?";
      return failure;
    }
    ++supported;
    sum = line;
  }
  if (sum) sum->detail = fmt::format("{} about as large or smaller, drawn at random", counted(supported, "problem"));
  return sum;
}

Tried<Unit> check_neighbours(const PlacedLab& lab, Session& session, const ProblemPtr& own, const Precision& precision,
                             double most_flops, CheckRecord& check) {
  const ProblemPtr base = lab.kernel->reduced(*own, most_flops, most_near_bytes);
  if (!base) return Unit{};
  auto& all = session.build().neighbours;
  auto known = all.find(base->label());
  if (known == all.end()) {
    auto line = check_near(lab, session, *base, precision);
    if (!line && line.error().status == Status::CANCELLED) return line.error();
    known = all.emplace(base->label(), std::move(line)).first;
  }
  const Tried<CheckLine>& line = known->second;
  if (!line) return line.error().status == Status::SKIPPED ? Tried<Unit>(Unit{}) : line.error();
  check.lines.push_back(*line);
  check.lines.back().name = "near its size, exact";
  return Unit{};
}

Tried<Unit> check_case(Session& session, const ProblemPtr& problem, const Precision& precision, CheckRecord& check,
                       double expected_s) {
  for (const Fill fill : {Fill::integers, Fill::reals}) {
    auto ran = run_once(session, problem, fill, session.edge(), expected_s);
    const std::string name = fill == Fill::integers ? "exact" : "real data";
    TRY_ASSIGN(const CheckLine line,
               check_drawn(name, session, problem, fill, session.edge(), expected_s, ran, precision));
    check.lines.push_back(line);
    session.build().note_speed(problem->flops(), ran->call_ms * 1e-3);
  }
  return Unit{};
}

}  // namespace harness
