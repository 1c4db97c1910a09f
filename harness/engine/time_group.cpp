#include "harness/engine/time_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include "harness/base/interrupt.h"
#include "harness/base/random.h"
#include "harness/base/text.h"
#include "harness/engine/lane.h"
#include "harness/engine/occupancy.h"
#include "harness/engine/prove.h"
#include "harness/engine/run.h"

namespace harness {
namespace {

constexpr double warm_cpu_ms = 10, warm_gpu_ms = 50;
constexpr double longest_batches = 50;  // times what a batch should take, outside
constexpr int most_gpu_calls = 32;      // a flush before each
// A first call may cost this share of a case's time.
constexpr double first_call_share = 0.1;

// A process and a call more, where somebody reads it and they are cheap beside the case itself: a process
// that has proved results has made its first call long ago.
bool can_start_anew(const Context& context, Lane& lane, const Problem& problem) {
  if (!shows_first_call(context.config, lane.planned())) return false;
  if (!context.options->wrap.empty()) return false;  // a tool would report twice
  const double rate = lane.session().target().flops_per_s;
  const double call_s = rate > 0 ? problem.flops() / rate : 0;
  return lane.session().start_s() + call_s < first_call_share * lane.cap_s();
}

Tried<Unit> time_first_call(const Context& context, Lane& lane, const Inputs& inputs) {
  Session& session = lane.session();
  if (!can_start_anew(context, lane, inputs.problem())) return Unit{};
  session.end();
  const auto start = std::chrono::steady_clock::now();
  TRY(session.load(inputs, lane.returned(), session.timing_placement()));
  TRY_ASSIGN(const Batch first, session.run(1, cache_of(context), {Data::Kind::fresh, secret_bits()}, 0));
  const double passed_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (first.first_ms > 0 && first.first_ms <= passed_ms) lane.note_metric(MetricName::first_call_ms, first.first_ms);
  session.unload();  // allocation and copies are timed when the device is awake
  return Unit{};
}

// Loads, calls once, finds the batch size, warms up.
Tried<Unit> prepare(const Context& context, Lane& lane, const Inputs& inputs) {
  Session& session = lane.session();
  TRY(time_first_call(context, lane, inputs));
  TRY_ASSIGN(const Loaded loaded, session.load(inputs, lane.returned(), session.timing_placement()));
  if (session.gpu()) {
    lane.note_metric(MetricName::alloc_ms, loaded.alloc_ms);
    lane.note_metric(MetricName::h2d_ms, loaded.in_ms);
    if (const auto warps =
            occupied_warps(loaded.launch, session.target().opened.device, context.config.device))
      lane.record().metrics.emplace_back(MetricName::warps_occupied, *warps);
  }
  TRY_ASSIGN(double call_ms, lane.batch(1));
  lane.record().warmup_ms.push_back(call_ms);
  if (call_ms * 1e-3 > 0.25 * lane.cap_s()) {
    // A second call would double the cost and tell little: after so long a call the machine is warm.
    lane.record().samples_ms.push_back(call_ms);
    lane.record().rounds.push_back(0);
    lane.record().notes.push_back({NoteCode::no_warm_up, {{"call_ms", call_ms}}});
    (void)lane.rule.add(call_ms, lane.spent_s);
    return Unit{};
  }
  const double target_ms = context.config.measure.min_batch_ms;
  const int most = session.gpu() ? most_gpu_calls : LAB_MAX_CALLS;
  // Of a CPU variant what passes counts, fresh data included: short calls would make long batches of it. A GPU's
  // batch is filled by what it claims, within bounds: a clock that lies must come to an end as well.
  const auto fit = [&](double ms) {
    const double wanted = session.gpu() ? std::min(target_ms / ms, longest_batches * target_ms / lane.passed_ms)
                                        : target_ms / lane.passed_ms;
    return std::clamp(static_cast<int>(std::ceil(wanted)), 1, most);
  };
  const double warm_ms = session.gpu() ? warm_gpu_ms : warm_cpu_ms;
  double warmed_ms = lane.passed_ms;
  for (int i = 0; i < 64 && (warmed_ms < warm_ms || i < 2) && !interrupted(); ++i) {
    const double before_s = lane.spent_s;
    TRY_ASSIGN(call_ms, lane.batch(fit(call_ms)));
    lane.record().warmup_ms.push_back(call_ms);
    warmed_ms += (lane.spent_s - before_s) * 1e3;
    if (lane.spent_s > 0.5 * lane.cap_s()) break;
  }
  lane.calls = fit(call_ms);
  lane.spent_s = 0;
  return Unit{};
}

void sample(Lane& lane, int round) {
  const auto call_ms = lane.batch(lane.calls);
  if (!call_ms) return lane.fail(call_ms.error());
  lane.record().samples_ms.push_back(*call_ms);
  lane.record().rounds.push_back(round);
  const StopReason reason = lane.rule.add(*call_ms, lane.spent_s);
  if (reason == StopReason::none) return;
  lane.active = false;
  lane.record().stop_reason = reason;
}

}  // namespace

void time_group(const Context& context, Idle& idle, std::vector<Timed>& cases, const Budget& budget) {
  const ProblemPtr problem = cases.front().state->plan->problem;
  auto inputs = Inputs::draw(problem, Fill::reals, secret_bits(), Edge::middle);
  // Of a group all run on the CPU, or all on the GPU.
  std::optional<Overhead> beside;
  const auto on = cases.front().session->gpu() ? Idle::On::gpu : Idle::On::cpu;
  if (inputs)
    if (const auto measured = idle.measure(*inputs, on)) beside = *measured;
  std::vector<Lane> lanes;
  lanes.reserve(cases.size());
  for (Timed& timed : cases) {
    auto returned = inputs ? Returned::make(*inputs, timed.session->timing_placement())
                           : Result<Returned>(inputs.error());
    if (!returned) {
      timed.state->evidence.failure = Failure{Status::OUT_OF_MEMORY, returned.error().message};
      continue;
    }
    lanes.emplace_back(context, timed, *inputs, *std::move(returned), beside,
                       [&](int calls) { return idle.batch(*inputs, on, calls); });
    lanes.back().record().calls_per_sample = 1;
  }
  for (Lane& lane : lanes)
    if (auto ready = prepare(context, lane, *inputs); !ready) lane.fail(ready.error());
  for (Lane& lane : lanes)
    if (lane.active && lane.spent_s >= lane.cap_s() && !lane.record().samples_ms.empty()) {
      lane.active = false;
      lane.record().stop_reason = budget.limited() ? StopReason::budget : StopReason::time_cap;
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
      if (!interrupted()) sample(*lane, round);
  }

  for (Lane& lane : lanes) {
    CaseRecord& record = lane.record();
    record.calls_per_sample = lane.calls;
    // The cap came from the budget, not from the policy.
    if (budget.limited() && record.stop_reason == StopReason::time_cap &&
        lane.cap_s() < context.config.measure.max_time_s)
      record.stop_reason = StopReason::budget;
    if (record.samples_ms.empty() || interrupted()) continue;
    auto believed = lane.finish();
    idle.rest();
    if (const auto library = lane.session().forbidden_library(); library && believed)
      believed = forbidden(*library);
    for (const NoteCode code : lane.session().not_observed()) record.notes.push_back({code});
    if (!believed)
      lane.fail(believed.error());
    else
      lane.succeed();
    lane.session().unload();
    if (!record.samples_ms.empty())
      lane.session().target().saw(problem->flops(), mean(record.samples_ms) * 1e-3);
  }
}

}  // namespace harness
