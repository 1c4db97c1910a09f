#include "harness/engine/check_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/random.h"
#include "harness/base/text.h"
#include "harness/engine/check_build.h"
#include "harness/engine/emulated_diagnostics.h"

namespace harness {
namespace {

constexpr int64_t most_near_bytes = 256 << 20;
constexpr double most_emulated_near_flops = 5e6;

}  // namespace

ProblemPtr emulated_problem(const PlacedLab& lab, const ProblemPtr& problem) {
  // Two seconds or so on a usual core, and less than the time limit of a case on a slow one.
  const double most_flops = std::min(4e7, 4.5e6 * lab.config.resources.case_s);
  constexpr int64_t most_bytes = 32 << 20;
  return lab.kernel->reduced(*problem, most_flops, most_bytes);
}

static Build::Emulated run_emulated(const PlacedLab& lab, Session& session, const ProblemPtr& problem) {
  Build::Emulated seen;
  auto ran = run_once(session, problem, Fill::integers, Edge::middle, 0);
  seen.failed = take_diagnostics(lab, session, Advice::drop, *problem);
  seen.diagnostics = session.build().diagnostics;
  if (seen.failed) return seen;
  if (auto line = check_ran(ran, session.build().precision))
    seen.line = *line;
  else
    seen.failed = line.error();
  return seen;
}

// The second call has new data in the same buffers: a variant may keep what it computed from the old ones.
static std::optional<Failure> run_emulated_twice(const PlacedLab& lab, Session& session, const ProblemPtr& problem) {
  const Precision& precision = session.build().precision;
  auto ran = run_once(session, problem, Fill::reals, Edge::middle, 0);
  if (auto mistake = take_diagnostics(lab, session, Advice::drop, *problem)) return mistake;
  if (!ran) return ran.error();
  // A line may be weak: one sum may be near 0 by chance.
  if (const auto line = check_one_output(ran->inputs, ran->returned, precision); !line) return line.error();
  const uint64_t salt = secret_bits();
  const auto again = session.run(protocol::Cache::hot, {Data::Kind::fresh, salt}, 0);
  const auto fetched = again ? session.fetch_output_of_call(ran->returned) : Tried<Fetched>(again.error());
  if (auto mistake = take_diagnostics(lab, session, Advice::drop, *problem)) return mistake;
  if (!fetched) return fetched.error();
  const auto fresh = ran->inputs.refreshed(salt);
  if (!fresh) return Failure{Status::OUT_OF_MEMORY, fresh.error().message};
  const auto line = check_one_output(*fresh, ran->returned, precision);
  if (line) return std::nullopt;
  Failure failure = line.error();
  failure.message += "; this is the second call, with new data in the same buffers: does it keep something of the first one?";
  return failure;
}

std::optional<Failure> check_emulated_case(const PlacedLab& lab, Session& session, const ProblemPtr& own, CheckRecord& check) {
  const ProblemPtr problem = emulated_problem(lab, own);
  if (!problem) return std::nullopt;
  Build& build = session.build();
  auto known = build.emulated.find(problem->label());
  if (known == build.emulated.end()) {
    Build::Emulated seen = run_emulated(lab, session, problem);
    if (const auto near = lab.kernel->reduced(*problem, most_emulated_near_flops, most_near_bytes); near && !seen.failed)
      for (const ProblemPtr& other : lab.kernel->neighbours(*near, secret_bits(), 1))
        if (auto failed = run_emulated_twice(lab, session, other); failed && failed->status != Status::SKIPPED) {
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

// Four problems that take at most about as long as the case, and smaller ones, which take little time. A variant may decline them.
static Tried<CheckLine> check_near(const PlacedLab& lab, Session& session, const Problem& own) {
  constexpr int large_ones = 4, small_ones = 6;
  std::vector<ProblemPtr> near = lab.kernel->neighbours(own, secret_bits(), large_ones);
  if (const ProblemPtr small = lab.kernel->reduced(own, own.flops() / 8, most_near_bytes))
    for (ProblemPtr& p : lab.kernel->neighbours(*small, secret_bits(), small_ones)) near.push_back(std::move(p));
  Tried<CheckLine> sum = Failure{Status::SKIPPED, ""};
  int supported = 0, declined = 0;
  for (const ProblemPtr& problem : near) {
    const auto line = check_problem(lab, session, {}, problem, Fill::integers, session.edge());
    // That an output of zeros would pass is no mistake of the variant.
    if (!line && line.error().status == Status::SKIPPED) ++declined;
    if (!line && (line.error().status == Status::SKIPPED || line.error().by_chance)) continue;
    if (!line) {
      Failure failure = line.error();
      if (failure.status == Status::WRONG || failure.status == Status::OUT_OF_BOUNDS)
        failure.message += "; small problems come out right: does it compute larger ones in another way?";
      return failure;
    }
    ++supported;
    sum = line;
  }
  if (sum)
    sum->detail = fmt::format("{} about as large or smaller, drawn at random{}", counted(supported, "problem"),
                              declined > 0 ? fmt::format("; it does not support {} others", declined) : "");
  return sum;
}

Tried<Unit> check_neighbours(const PlacedLab& lab, Session& session, const ProblemPtr& own, double most_flops, CheckRecord& check) {
  const ProblemPtr base = lab.kernel->reduced(*own, most_flops, most_near_bytes);
  if (!base) return Unit{};
  auto& all = session.build().neighbours;
  auto known = all.find(base->label());
  if (known == all.end()) {
    auto line = check_near(lab, session, *base);
    if (!line && line.error().status == Status::CANCELLED) return line.error();
    known = all.emplace(base->label(), std::move(line)).first;
  }
  const Tried<CheckLine>& line = known->second;
  if (!line) return line.error().status == Status::SKIPPED ? Tried<Unit>(Unit{}) : line.error();
  constexpr const char* name = "near its size, exact";
  auto at = std::ranges::find(check.lines, name, &CheckLine::name);
  if (at == check.lines.end()) at = check.lines.insert(at, CheckLine{});
  *at = *line;
  at->name = name;
  return Unit{};
}

Tried<Unit> check_case(Session& session, const ProblemPtr& problem, CheckRecord& check, double expected_s) {
  for (const Fill fill : {Fill::integers, Fill::reals}) {
    auto ran = run_once(session, problem, fill, session.edge(), expected_s);
    TRY_ASSIGN(CheckLine line, check_drawn(session, problem, fill, session.edge(), expected_s, ran));
    line.name = fill == Fill::integers ? "exact" : "real data";
    check.lines.push_back(line);
    session.build().note_speed(problem->flops(), ran->call_ms * 1e-3);
  }
  return Unit{};
}

}  // namespace harness
