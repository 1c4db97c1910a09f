#include "harness/engine/check_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "harness/base/random.h"
#include "harness/engine/build_all.h"
#include "harness/engine/emulated_diagnostics.h"
#include "harness/engine/sanitized_look.h"

namespace harness {
namespace {

constexpr int most_draws = 4;  // of one problem, while an output of zeros would still pass

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
  return Ran{*std::move(inputs), *std::move(returned), call.claimed_ms};
}

namespace {

Tried<CheckLine> check_ran(const std::string& name, Tried<Ran>& ran, const Precision& precision) {
  if (!ran) return ran.error();
  return check_one_output(name, ran->inputs, ran->returned, precision);
}

const char* name_of(Method method) {
  switch (method) {
    case Method::exact:
      return "exact";
    case Method::componentwise:
      return "componentwise";
    default:
      return "projection";
  }
}

// A GPU, or the emulated device without diagnostics, says little about a wrong result. The emulated device runs the
// same problem and looks for races, barriers and bounds.
void look_on_emulated_device(const PlacedLab& lab, Session& session, const ProblemPtr& problem, Fill fill) {
  const Toolchain& emulated = *find_toolchain("emulated");
  Build& build = session.build();
  const std::vector<std::string>& needs = build.variant->needs;
  const bool looked = session.emulated() && lab.options.device.watch == Watch::diagnostics;
  if (!session.gpu() || looked || emulated.unable(lab.machine) ||
      std::any_of(needs.begin(), needs.end(),
                  [&](const std::string& need) { return emulated.lacks(need).has_value(); }))
    return;
  PlacedLab there = lab;
  there.gpu_toolchain = &emulated;
  there.gpu.reset();
  there.options.device.watch = Watch::diagnostics;
  there.architecture.clear();
  Build again;
  again.variant = build.variant;
  again.macros = build.macros;
  again.dtype = build.dtype;
  again.largest_bytes = build.largest_bytes;
  auto built = make_builder(there).build(*build.variant, build.macros, emulated);
  if (!built || !built->error.empty()) return;
  again.result = *std::move(built);
  Session emulation(there, again);
  (void)run_once(emulation, problem, fill, Edge::middle, 0);
  (void)take_diagnostics(there, emulation, Advice::drop, *problem);
  build.diagnostics = again.diagnostics;
}

bool can_race(Session& session) {
  const std::vector<std::string>& needs = session.build().variant->needs;
  return (session.gpu() && !session.emulated()) || std::any_of(needs.begin(), needs.end(), [](const std::string& need) {
           return need == "threads" || need == "openmp";
         });
}

// Runs a problem whose output was wrong again, twice at a time on the same data.
bool differs_again(Session& session, const ProblemPtr& problem, Fill fill, Edge edge, const Failure& failure) {
  constexpr int tries = 3;
  if (failure.status != Status::WRONG) return false;
  for (int i = 0; i < tries; ++i) {
    std::optional<bool> same;
    const auto ran = run_once(session, problem, fill, edge, 0, &same);
    if (!ran) return false;
    if (same == false) return true;
  }
  return false;
}

// True if the output for the same data is right in a new process: then only the earlier calls can explain what is wrong.
bool right_in_new_process(Session& session, Ran& wrong, const Precision& precision) {
  constexpr int tries = 2;
  for (int i = 0; i < tries; ++i) {
    session.end();
    wrong.returned.reset(wrong.inputs);
    if (!session.load(wrong.inputs, wrong.returned) || !session.run(protocol::Cache::hot, {}, 0) || !session.fetch() ||
        !check_one_output("", wrong.inputs, wrong.returned, precision))
      return false;
  }
  return true;
}

// The largest problem with a wrong output shows the pattern of a mistake best. Returns that problem.
ProblemPtr explain_on_largest(Session& session, std::vector<ProblemPtr> problems, const Precision& precision, Edge edge,
                              Failure& failure, const ProblemPtr& first) {
  if (failure.status != Status::WRONG) return first;
  std::stable_sort(problems.begin(), problems.end(),
                   [](const ProblemPtr& a, const ProblemPtr& b) { return a->flops() > b->flops(); });
  for (const ProblemPtr& problem : problems) {
    if (problem == first) return first;
    auto ran = run_once(session, problem, Fill::integers, edge, 0);
    if (!ran && ran.error().status == Status::SKIPPED) continue;
    if (!ran) return first;
    const auto line = check_ran("", ran, precision);
    if (line || line.error().status != Status::WRONG) continue;
    // NaN everywhere says less than wrong numbers with a pattern.
    if (line.error().shows == Failure::Shows::not_a_number && failure.shows == Failure::Shows::pattern) {
      failure.message += fmt::format("; the largest shape that fails is {}, with NaN", problem->label());
      return first;
    }
    failure.message = line.error().message + "; " + fmt::format("the first shape that fails is {}", first->label());
    return problem;
  }
  return first;
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
  if (result.weak)
    return Failure{Status::MISTRUSTED, fmt::format("on {}: an output of zeros would have passed", problem.label())};
  return CheckLine{
      name.empty() ? name_of(result.method) : name, true, result.worst_ratio, result.worst_ratio_gamma,
      fmt::format("{} {} compared", result.compared, result.method == Method::projection ? "lines" : "cells")};
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

static void check_shapes(const PlacedLab& lab, Session& session, const Axes& scalars) {
  Build& build = session.build();
  const auto precision = declared_precision(build);
  if (!precision) {
    build.failed = precision.error();
    return;
  }
  CheckRecord check;
  CheckLine exact{"shapes, exact", true}, real{"shapes, real data", true};
  auto problems = lab.kernel->check_problems(build.dtype, build.macros, scalars);
  const size_t usual = problems.size();
  std::string unsupported;  // what the variant says about problems that it does not support
  bool at_end = true;  // the guard page is behind the data and before it, in turn
  for (size_t i = 0; i < problems.size(); ++i) {
    const ProblemPtr problem = problems[i];
    const Edge edge = session.edge(at_end ? Edge::end : Edge::start);
    at_end = !at_end;
    bool supported = true;
    for (const Fill fill : {Fill::integers, Fill::reals}) {
      const bool twice = fill == Fill::reals && std::ranges::all_of(problems, [&](const ProblemPtr& other) {
                           return other->flops() <= problem->flops();
                         });
      auto ran = run_once(session, problem, fill, edge, 0, twice ? &check.deterministic : nullptr);
      if (session.emulated() && (build.failed = take_diagnostics(lab, session, Advice::drop, *problem))) return;
      auto line = check_ran("", ran, *precision);
      // A single cell may be near 0 by chance, so that the rounding of inputs explains it. Other data decides.
      for (int draw = 1; draw < most_draws && !line && line.error().status == Status::MISTRUSTED; ++draw) {
        ran = run_once(session, problem, fill, edge, 0);
        line = check_ran("", ran, *precision);
      }
      if (!line && line.error().status == Status::SKIPPED) {
        unsupported = line.error().message;
        supported = false;
        break;
      }
      if (!line) {
        build.failed = line.error();
        if (!ran && session.was_loaded())
          build.failed->message = fmt::format("on {}: {}", problem->label(), build.failed->message);
        if (!ran) return look_on_emulated_device(lab, session, problem, fill);
        if (build.failed->status == Status::WRONG && !can_race(session) &&
            right_in_new_process(session, *ran, *precision)) {
          build.failed->message +=
              "; right in a new process, wrong after earlier calls: does it keep something between calls, as a static variable "
              "or memory that it does not clear?";
          return;
        }
        const ProblemPtr shown = explain_on_largest(session, problems, *precision, edge, *build.failed, problem);
        if (can_race(session) && differs_again(session, shown, fill, edge, *build.failed))
          build.failed->message += "; differs between runs: a race?";
        look_on_emulated_device(lab, session, shown, fill);
        return;
      }
      if (twice && !session.emulated()) build.note_speed(problem->flops(), ran->call_ms * 1e-3);
      CheckLine& sum = fill == Fill::integers ? exact : real;
      sum.worst_ratio = std::max(sum.worst_ratio, line->worst_ratio);
      sum.worst_ratio_gamma = std::max(sum.worst_ratio_gamma, line->worst_ratio_gamma);
    }
    ++(supported ? check.shapes : check.left_out);
    if (i + 1 == usual && check.shapes == 0) add_large_tiles(lab, build, scalars, problems);
  }
  if (check.shapes == 0) {
    build.failed = Failure{Status::SKIPPED, fmt::format("on all {} check shapes: {}", check.left_out, unsupported)};
    return;
  }
  const int all = check.shapes + check.left_out;
  if (check.shapes < lab.config.least_shapes * all) {
    build.failed = Failure{Status::WRONG, fmt::format("it supports only {} of the {} shapes of the check, and this lab asks "
                                                      "for {:g} % of them: {}",
                                                      check.shapes, all, lab.config.least_shapes * 100, unsupported)};
    return;
  }
  if (session.emulated() && (build.failed = check_typical(lab, session, *precision))) return;
  if ((build.failed = session.forbidden_code())) return;
  session.unload();
  exact.detail = real.detail = fmt::format("{} shapes, guard bands intact", check.shapes);
  if (check.left_out > 0) exact.detail = real.detail += fmt::format("; {} left out: {}", check.left_out, unsupported);
  check.lines = {exact, real};
  build.check = check;
}

void check_build(const PlacedLab& lab, Session& session, const Axes& scalars) {
  session.expect(Session::Problems::small);
  check_shapes(lab, session, scalars);
  session.expect(Session::Problems::of_the_case);
  Build& build = session.build();
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

std::optional<Failure> check_emulated_case(const PlacedLab& lab, Session& session, const ProblemPtr& own,
                                           const Precision& precision, CheckRecord& check) {
  const ProblemPtr problem = emulated_problem(lab, own);
  if (!problem) return std::nullopt;
  Build& build = session.build();
  auto known = build.emulated.find(problem->label());
  if (known == build.emulated.end()) {
    Build::Emulated seen = run_emulated(lab, session, problem, precision);
    if (seen.failed && seen.failed->status == Status::CANCELLED) return seen.failed;
    known = build.emulated.emplace(problem->label(), std::move(seen)).first;
  }
  const Build::Emulated& seen = known->second;
  build.diagnostics = seen.diagnostics;
  const bool is_reduced = problem->label() != own->label();
  // What a variant says about another size is no reason to leave this one out.
  if (seen.failed && seen.failed->status == Status::SKIPPED && is_reduced) return std::nullopt;
  if (seen.failed) return seen.failed;
  CheckLine line = *seen.line;
  line.name = is_reduced ? "reduced size, exact" : "own size, exact";
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

Tried<Unit> check_case(Session& session, const ProblemPtr& problem, const Precision& precision, CheckRecord& check,
                       double expected_s) {
  for (const Fill fill : {Fill::integers, Fill::reals}) {
    auto ran = run_once(session, problem, fill, session.edge(), expected_s);
    TRY_ASSIGN(CheckLine line, check_ran(fill == Fill::integers ? "exact" : "real data", ran, precision));
    check.lines.push_back(line);
    session.build().note_speed(problem->flops(), ran->call_ms * 1e-3);
  }
  return Unit{};
}

}  // namespace harness
