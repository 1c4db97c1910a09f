#include "harness/engine/check_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "harness/base/random.h"

namespace harness {

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
  Failure failure{Status::MISTRUSTED, fmt::format("on {}: an output of zeros would have passed", problem.label())};
  failure.by_chance = true;
  return failure;
}

Tried<CheckLine> check_one_output(const Inputs& inputs, ReturnedRegions& returned, const Precision& precision) {
  const Problem& problem = inputs.problem();
  if (const ReturnedRegions::Damage damage = returned.damage(inputs); !damage.message.empty())
    return Failure{damage.input_modified ? Status::INPUT_MODIFIED : Status::OUT_OF_BOUNDS,
                   fmt::format("on {}: {}", problem.label(), damage.message)};
  const CheckResult result =
      check_output(problem, inputs.fill(), inputs.pristine(), returned.output().data(), precision, secret_bits());
  if (!result.right) {
    Failure wrong{Status::WRONG, fmt::format("on {}: {}", problem.label(), result.message)};
    wrong.shows = std::isnan(result.got) ? Failure::Shows::not_a_number
                  : result.explained     ? Failure::Shows::pattern
                                         : Failure::Shows::nothing;
    return wrong;
  }
  return CheckLine{
      std::string(to_string(result.method)), true, result.worst_ratio, result.worst_ratio_gamma,
      fmt::format("{} {} compared", result.compared, result.method == Method::projection ? "lines" : "cells"), result.weak};
}

Tried<CheckLine> check_timed_output(const Inputs& inputs, ReturnedRegions& returned, const Precision& precision) {
  auto line = check_one_output(inputs, returned, precision);
  if (line) {
    line->name = "timed output";
  } else if (Failure wrong = line.error(); wrong.status == Status::WRONG) {
    wrong.message = "output of a timed call, " + wrong.message;
    return wrong;
  }
  return line;
}

Tried<CheckLine> check_ran(Tried<Ran>& ran, const Precision& precision) {
  if (!ran) return ran.error();
  TRY_ASSIGN(const CheckLine line, check_one_output(ran->inputs, ran->returned, precision));
  if (line.weak) return zeros_would_pass(ran->inputs.problem());
  return line;
}

// A single cell may be near 0 by chance, so that the rounding of inputs explains it. Other data decides.
Tried<CheckLine> check_drawn(Session& session, const ProblemPtr& problem, Fill fill, Edge edge, double expected_s,
                             Tried<Ran>& ran) {
  constexpr int most_draws = 8;
  auto line = check_ran(ran, session.build().precision);
  for (int draw = 1; draw < most_draws && !line && line.error().by_chance; ++draw) {
    ran = run_once(session, problem, fill, edge, expected_s);
    line = check_ran(ran, session.build().precision);
  }
  return line;
}

}  // namespace harness
