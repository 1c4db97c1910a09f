#include "harness/engine/prove.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "harness/base/random.h"
#include "harness/base/text.h"
#include "harness/engine/seen.h"

namespace harness {
namespace {

// Of a shape, until zeros would not have passed.
constexpr int most_draws = 4;

struct Ran {
  Inputs inputs;
  Returned returned;
  double call_ms = 0;
};

// Draws, loads, runs once, fetches. A second run on the same data when `again` is given.
Tried<Ran> run_once(Session& session, const ProblemPtr& problem, Fill fill, Edge edge, double expected_s,
                    std::optional<bool>* same_bits = nullptr) {
  const auto out_of_memory = [](const Error& e) { return Failure{Status::OUT_OF_MEMORY, e.message}; };
  auto inputs = Inputs::draw(problem, fill, secret_bits(), edge);
  if (!inputs) return out_of_memory(inputs.error());
  auto returned = Returned::make(*inputs, session.check_placement());
  if (!returned) return out_of_memory(returned.error());
  TRY_ASSIGN(const Loaded loaded, session.load(*inputs, *returned, session.check_placement()));
  (void)loaded;
  TRY_ASSIGN(const Batch batch, session.run(1, protocol::Cache::hot, {}, expected_s));
  TRY(session.fetch());
  if (same_bits) {
    const auto bytes = static_cast<size_t>(problem->output().bytes(problem->dtype()));
    const std::vector<std::byte> first(returned->output().data(), returned->output().data() + bytes);
    returned->reset(*inputs);
    TRY(session.run(1, protocol::Cache::hot, {Data::Kind::restored}, expected_s));
    TRY(session.fetch());
    *same_bits = std::memcmp(first.data(), returned->output().data(), bytes) == 0;
  }
  return Ran{*std::move(inputs), *std::move(returned), batch.call_ms.front()};
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

}  // namespace

Tried<CheckLine> check_one_output(const std::string& name, const Inputs& inputs, Returned& returned,
                              const Precision& precision) {
  const Problem& problem = inputs.problem();
  if (const Returned::Damage damage = returned.damage(inputs); !damage.message.empty())
    return Failure{damage.input_modified ? Status::INPUT_MODIFIED : Status::OUT_OF_BOUNDS,
                   fmt::format("on {}: {}", problem.label(), damage.message)};
  const CheckResult verdict =
      check_output(problem, inputs.fill(), inputs.pristine(), returned.output().data(), precision, secret_bits());
  if (!verdict.right)
    return Failure{Status::WRONG,
                   fmt::format("{}on {}: {}", name == timed_output ? "output of a timed call, " : "",
                               problem.label(), verdict.message)};
  if (verdict.weak)
    return Failure{Status::MISTRUSTED,
                   fmt::format("on {}: an output of zeros would have passed", problem.label())};
  CheckLine line;
  line.name = name.empty() ? name_of(verdict.method) : name;
  line.right = true;
  line.worst_ratio = verdict.worst_ratio;
  line.worst_ratio_gamma = verdict.worst_ratio_gamma;
  line.detail = fmt::format("{} {} compared", verdict.compared,
                            verdict.method == Method::projection ? "lines" : "cells");
  return line;
}

Failure forbidden(const std::string& library) {
  return {Status::MISTRUSTED, fmt::format("it loads {}, which this lab forbids", library)};
}

namespace {

// A known pattern shows best where there are many cells: the largest shape that goes wrong explains more than
// a single cell does.
void explain_on(Session& session, std::vector<ProblemPtr> problems, const Precision& precision, Edge edge,
                Failure& failure, const ProblemPtr& first) {
  if (failure.status != Status::WRONG) return;
  std::stable_sort(problems.begin(), problems.end(),
                   [](const ProblemPtr& a, const ProblemPtr& b) { return a->flops() > b->flops(); });
  for (const ProblemPtr& problem : problems) {
    if (problem == first) return;
    auto ran = run_once(session, problem, Fill::integers, edge, 0);
    if (!ran && ran.error().status == Status::SKIPPED) continue;
    if (!ran) return;
    const auto line = check_one_output("", ran->inputs, ran->returned, precision);
    if (line || line.error().status != Status::WRONG) continue;
    failure.message =
        fmt::format("{}; the first shape that fails is {}", line.error().message, first->label());
    return;
  }
}

// How a kernel uses memory shows on a problem without edges: advice comes from there.
std::optional<Failure> prove_typical(const Context& context, Session& session, const Precision& precision) {
  const Target& target = session.target();
  const ProblemPtr problem = context.kernel->typical(target.dtype, target.macros);
  if (!problem) return std::nullopt;
  auto ran = run_once(session, problem, Fill::reals, Edge::middle, 0);
  if (auto mistake = mistake_seen(context, session, Advice::keep)) return mistake;
  if (!ran && ran.error().status == Status::SKIPPED) return std::nullopt;
  auto line = ran ? check_one_output("", ran->inputs, ran->returned, precision) : Tried<CheckLine>(ran.error());
  return line ? std::nullopt : std::optional(line.error());
}

}  // namespace

void prove_shapes(const Context& context, Session& session, const Axes& scalars) {
  Target& target = session.target();
  const auto precision = find_precision(target.variant->precision, target.dtype);
  if (!precision) {
    target.failed = Failure{Status::COMPILE_ERROR, precision.error().message};
    return;
  }
  CheckRecord check;
  CheckLine exact{"shapes, exact", true}, real{"shapes, real data", true};
  const auto problems = context.kernel->check_problems(target.dtype, target.macros, scalars);
  ProblemPtr largest;
  for (const ProblemPtr& p : problems)
    if (!largest || p->flops() > largest->flops()) largest = p;
  std::string unsupported;  // what the variant says of the shapes that it does not do
  int left_out = 0;
  bool at_end = true;  // the guard page lies behind the data, then before it, in turn
  for (const ProblemPtr& problem : problems) {
    const Edge edge = session.gpu() ? Edge::middle : at_end ? Edge::end : Edge::start;
    at_end = !at_end;
    bool supported = true;
    for (const Fill fill : {Fill::integers, Fill::reals}) {
      const bool look_twice = problem == largest && fill == Fill::reals;
      auto ran = run_once(session, problem, fill, edge, 0, look_twice ? &check.deterministic : nullptr);
      if (session.emulated() && (target.failed = mistake_seen(context, session, Advice::drop))) return;
      auto line =
          ran ? check_one_output("", ran->inputs, ran->returned, *precision) : Tried<CheckLine>(ran.error());
      // A single cell may be near 0 by chance, where a rounding of inputs explains it: other data tells.
      for (int draw = 1; draw < most_draws && !line && line.error().status == Status::MISTRUSTED; ++draw) {
        ran = run_once(session, problem, fill, edge, 0);
        line = ran ? check_one_output("", ran->inputs, ran->returned, *precision) : Tried<CheckLine>(ran.error());
      }
      if (!line && line.error().status == Status::SKIPPED) {
        unsupported = line.error().message;
        supported = false;
        break;
      }
      if (!line) {
        target.failed = line.error();
        if (!ran && session.was_loaded())
          target.failed->message = fmt::format("on {}: {}", problem->label(), target.failed->message);
        if (ran) explain_on(session, problems, *precision, edge, *target.failed, problem);
        if (check.deterministic == false && line.error().status == Status::WRONG)
          target.failed->message += "; a second run on the same data gave other bits: is a barrier missing?";
        return;
      }
      if (look_twice && !session.emulated()) target.saw(problem->flops(), ran->call_ms * 1e-3);
      CheckLine& sum = fill == Fill::integers ? exact : real;
      sum.worst_ratio = std::max(sum.worst_ratio, line->worst_ratio);
      sum.worst_ratio_gamma = std::max(sum.worst_ratio_gamma, line->worst_ratio_gamma);
    }
    ++(supported ? check.shapes : left_out);
  }
  if (check.shapes == 0) {
    target.failed =
        Failure{Status::SKIPPED, fmt::format("on all {} check shapes: {}", left_out, unsupported)};
    return;
  }
  if (session.emulated() && (target.failed = prove_typical(context, session, *precision))) return;
  if (const auto library = session.forbidden_library()) {
    target.failed = forbidden(*library);
    return;
  }
  session.unload();
  exact.detail = real.detail = fmt::format("{} shapes, guard bands intact", check.shapes);
  if (left_out > 0) exact.detail = real.detail += fmt::format("; {} left out: {}", left_out, unsupported);
  check.lines = {exact, real};
  target.shapes = check;
}

double foreseen_proof_s(const Problem& problem) {
  double elements = 0;
  for (const BufferSpec& spec : problem.buffers()) elements += static_cast<double>(spec.elements());
  constexpr double some_cells = 2025;
  const double reference = checks_every_cell(problem)
                               ? problem.flops() * 0.5e-9
                               : some_cells * static_cast<double>(problem.reduction_length()) * 4e-9;
  return 3e-4 + reference + elements * 1e-8;
}

Tried<Unit> prove_case(Session& session, const ProblemPtr& problem, const Precision& precision,
                       CheckRecord& check, double expected_s) {
  for (const Fill fill : {Fill::integers, Fill::reals}) {
    TRY_ASSIGN(Ran ran,
               run_once(session, problem, fill, session.gpu() ? Edge::middle : Edge::end, expected_s));
    TRY_ASSIGN(CheckLine line, check_one_output(fill == Fill::integers ? "exact" : "real data", ran.inputs,
                                            ran.returned, precision));
    check.lines.push_back(line);
    session.target().saw(problem->flops(), ran.call_ms * 1e-3);
  }
  return Unit{};
}

}  // namespace harness
