#include "harness/engine/time_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include "harness/base/interrupt.h"
#include "harness/base/random.h"
#include "harness/base/text.h"
#include "harness/engine/occupancy.h"
#include "harness/engine/prove.h"
#include "harness/engine/run.h"
#include "harness/measure/statistics.h"

namespace harness {
namespace {

constexpr double warm_cpu_ms = 10, warm_gpu_ms = 50;
constexpr int most_cold_calls = 32;
// A first call may cost this share of a case's time.
constexpr double first_call_share = 0.1;

// One case while its group is timed.
struct Lane {
  Timed* timed = nullptr;
  Returned returned;
  StopRule rule;
  int calls = 1;
  double spent_s = 0;
  bool active = true;
  int batches = 0, short_batches = 0;  // all, and those that lasted much longer outside than inside

  CaseRecord& record() { return timed->state->record; }
};

protocol::Cache cache_of(const Context& context) {
  return context.config.measure.gpu_cache == MeasurePolicy::Cache::cold ? protocol::Cache::cold
                                                                        : protocol::Cache::hot;
}

double mean(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x;
  return sum / static_cast<double>(v.size());
}

void fail(Lane& lane, const Failure& failure) {
  lane.active = false;
  lane.record().status = failure.status;
  lane.record().reason = failure.message;
  lane.record().check.message = failure.message;
  lane.record().samples_ms.clear();
  lane.record().rounds.clear();
  lane.record().warmup_ms.clear();
  lane.record().metrics.clear();
}

// A batch, as the mean time of a call. Two clocks must agree: what the worker says cannot be longer than what
// passed here, and what passed here cannot be much longer than what the worker was busy.
Tried<double> batch(const Context& context, Lane& lane, int calls, bool restore) {
  TRY_ASSIGN(const Batch b, lane.timed->session->run(calls, cache_of(context), restore,
                                                     lane.timed->session->target().flops_per_s > 0
                                                         ? calls * lane.timed->state->plan->problem->flops() /
                                                               lane.timed->session->target().flops_per_s
                                                         : 0));
  lane.spent_s += b.outside_ms * 1e-3;
  const double call_ms = mean(b.call_ms);
  double sum = 0;
  for (const double c : b.call_ms) sum += c;
  if (b.call_ms.size() == 1) sum *= calls;
  if (!std::isfinite(call_ms) || call_ms <= 0 || sum > b.outside_ms * 1.001 + 0.02)
    return Failure{Status::SUSPECT, fmt::format("its clock says {} where {} passed outside",
                                                human_time(sum * 1e-3), human_time(b.outside_ms * 1e-3))};
  // One such batch means that this machine was busy, most of them that the worker's clock was slowed.
  ++lane.batches;
  lane.short_batches += b.busy_ms < 0.5 * b.outside_ms - 20;
  return call_ms;
}

void note_metric(CaseRecord& record, const char* name, double value) {
  Metric m;
  m.median = value;
  m.n = 1;
  record.metrics.emplace_back(name, m);
}

// A process and a call more, where somebody reads it and they are cheap beside the case itself: a process that
// has proved results has made its first call long ago.
bool can_start_anew(const Context& context, const Lane& lane) {
  if (!shows_first_call(context.config, *lane.timed->state->plan)) return false;
  if (!context.options->wrap.empty()) return false;  // a tool would report twice
  const Session& session = *lane.timed->session;
  const Target& target = *lane.timed->state->target;
  const double call_s =
      target.flops_per_s > 0 ? lane.timed->state->plan->problem->flops() / target.flops_per_s : 0;
  return session.start_s() + call_s < first_call_share * lane.timed->cap_s;
}

Tried<Unit> time_first_call(const Context& context, Lane& lane, const Inputs& inputs) {
  Session& session = *lane.timed->session;
  if (!can_start_anew(context, lane)) return Unit{};
  session.end();
  const auto start = std::chrono::steady_clock::now();
  TRY(session.load(inputs, lane.returned, session.timing_placement()));
  TRY_ASSIGN(const Batch first, session.run(1, cache_of(context), false, 0));
  const double passed_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (first.first_ms > 0 && first.first_ms <= passed_ms)
    note_metric(lane.record(), "first_call_ms", first.first_ms);
  session.unload();  // allocation and copies are timed when the device is awake
  return Unit{};
}

// Loads, calls once, finds the batch size, warms up.
Tried<Unit> prepare(const Context& context, Lane& lane, const Inputs& inputs) {
  Session& session = *lane.timed->session;
  TRY(time_first_call(context, lane, inputs));
  TRY_ASSIGN(const Loaded loaded, session.load(inputs, lane.returned, session.timing_placement()));
  if (session.gpu()) {
    note_metric(lane.record(), "alloc_ms", loaded.alloc_ms);
    note_metric(lane.record(), "h2d_ms", loaded.in_ms);
    if (const auto warps =
            occupied_warps(loaded.launch, session.target().opened.device, context.config.device))
      lane.record().metrics.emplace_back("warps_occupied", *warps);
  }
  TRY_ASSIGN(double call_ms, batch(context, lane, 1, false));
  lane.record().warmup_ms.push_back(call_ms);
  if (call_ms * 1e-3 > 0.25 * lane.timed->cap_s) {
    // A second call would double the cost and tell little: after so long a call the machine is warm.
    lane.record().samples_ms.push_back(call_ms);
    lane.record().rounds.push_back(0);
    lane.record().notes.push_back(
        fmt::format("no separate warm-up: one call takes {}", human_time(call_ms * 1e-3)));
    (void)lane.rule.add(call_ms, lane.spent_s);
    return Unit{};
  }
  const double target_ms = context.config.measure.min_batch_ms;
  const int most =
      session.gpu() && cache_of(context) == protocol::Cache::cold ? most_cold_calls : LAB_MAX_CALLS;
  const auto fit = [&](double ms) {
    return std::clamp(static_cast<int>(std::ceil(target_ms / ms)), 1, most);
  };
  const double warm_ms = session.gpu() ? warm_gpu_ms : warm_cpu_ms;
  double warmed_ms = call_ms;
  for (int i = 0; i < 64 && (warmed_ms < warm_ms || i < 2) && !interrupted(); ++i) {
    const int calls = fit(call_ms);
    TRY_ASSIGN(call_ms, batch(context, lane, calls, false));
    lane.record().warmup_ms.push_back(call_ms);
    warmed_ms += call_ms * calls;
    if (lane.spent_s > 0.5 * lane.timed->cap_s) break;
  }
  lane.calls = fit(call_ms);
  lane.spent_s = 0;
  return Unit{};
}

// Do the two clocks agree on the whole? Where there are few batches, a busy machine gets the chance to clear
// the variant.
Tried<Unit> compare_clocks(const Context& context, Lane& lane) {
  constexpr int enough = 8;
  while (lane.short_batches > 0 && lane.batches < enough && !interrupted())
    TRY(batch(context, lane, lane.calls, false));
  if (2 * lane.short_batches <= lane.batches) return Unit{};
  return Failure{Status::SUSPECT,
                 fmt::format("in {} of {} batches its clock says less than half of what passed outside",
                             lane.short_batches, lane.batches)};
}

// The output of a timed call must be right as well: computed from fresh data, in the timed placement.
Tried<Unit> prove_timed(const Context& context, Lane& lane, const Inputs& inputs) {
  // beta != 0: after many calls C is no longer one call away from what was drawn.
  if (inputs.problem().output().role == Role::inout) TRY(batch(context, lane, 1, true));
  TRY_ASSIGN(const double out_ms, lane.timed->session->fetch());
  if (lane.timed->session->gpu()) note_metric(lane.record(), "d2h_ms", out_ms);
  const auto precision =
      find_precision(lane.timed->session->target().variant->precision, inputs.problem().dtype());
  if (!precision) return Failure{Status::COMPILE_ERROR, precision.error().message};
  TRY_ASSIGN(CheckLine line, judge_output(timed_output, inputs, lane.returned, *precision));
  lane.record().check.lines.push_back(line);
  lane.record().check.timed_output = true;
  return Unit{};
}

void sample(const Context& context, Lane& lane, int round) {
  auto call_ms = batch(context, lane, lane.calls, false);
  if (!call_ms) return fail(lane, call_ms.error());
  lane.record().samples_ms.push_back(*call_ms);
  lane.record().rounds.push_back(round);
  const StopReason reason = lane.rule.add(*call_ms, lane.spent_s);
  if (reason == StopReason::none) return;
  lane.active = false;
  lane.record().stop_reason = to_string(reason);
}

}  // namespace

void time_group(const Context& context, std::vector<Timed>& cases, const Budget& budget) {
  const ProblemPtr problem = cases.front().state->plan->problem;
  auto inputs = Inputs::draw(problem, Fill::reals, secret_bits(), Edge::middle);
  std::vector<Lane> lanes;
  for (Timed& timed : cases) {
    auto returned = inputs ? Returned::make(*inputs, timed.session->timing_placement())
                           : Result<Returned>(inputs.error());
    if (!returned) {
      timed.state->record.status = Status::OUT_OF_MEMORY;
      timed.state->record.reason = returned.error().message;
      continue;
    }
    const MeasurePolicy& p = context.config.measure;
    lanes.push_back(
        {&timed, *std::move(returned), StopRule({p.precision, p.min_samples, p.max_samples, timed.cap_s})});
    lanes.back().record().calls_per_sample = 1;
  }
  for (Lane& lane : lanes)
    if (auto ready = prepare(context, lane, *inputs); !ready) fail(lane, ready.error());
  for (Lane& lane : lanes)
    if (lane.active && lane.spent_s >= lane.timed->cap_s && !lane.record().samples_ms.empty()) {
      lane.active = false;
      lane.record().stop_reason = to_string(budget.limited() ? StopReason::budget : StopReason::time_cap);
    }

  std::mt19937_64 order(secret_bits());
  std::vector<Lane*> active;
  for (int round = 1;; ++round) {
    active.clear();
    for (Lane& lane : lanes)
      if (lane.active) active.push_back(&lane);
    if (active.empty() || interrupted()) break;
    std::shuffle(active.begin(), active.end(), order);
    for (Lane* lane : active)
      if (!interrupted()) sample(context, *lane, round);
  }

  for (Lane& lane : lanes) {
    CaseRecord& record = lane.record();
    record.calls_per_sample = lane.calls;
    // The cap came from the budget, not from the policy.
    if (budget.limited() && record.stop_reason == to_string(StopReason::time_cap) &&
        lane.timed->cap_s < context.config.measure.max_time_s)
      record.stop_reason = to_string(StopReason::budget);
    if (record.samples_ms.empty() || interrupted()) continue;
    auto proved = compare_clocks(context, lane);
    if (proved) proved = prove_timed(context, lane, *inputs);
    if (!proved)
      fail(lane, proved.error());
    else
      record.status = Status::PASSED;
    lane.timed->session->unload();
    if (!record.samples_ms.empty())
      lane.timed->session->target().saw(problem->flops(), mean(record.samples_ms) * 1e-3);
  }
}

}  // namespace harness
