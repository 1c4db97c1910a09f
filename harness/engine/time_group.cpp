#include "harness/engine/time_group.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "harness/base/interrupt.h"
#include "harness/base/random.h"
#include "harness/base/stopwatch.h"
#include "harness/engine/budget.h"
#include "harness/engine/case_timer.h"
#include "harness/engine/occupancy.h"

namespace harness {
namespace {

/// With so many samples the interval of a median is known.
constexpr int first_look = 8;
constexpr double warm_cpu_ms = 10, warm_gpu_ms = 50;

// The first call of a process needs a new process, because the checked one has made its first call. It is not timed with
// a tool around the worker, which would report twice, and not if it would take as long as all else that the case may do.
Tried<Unit> time_first_call(const PlacedLab& lab, CaseTimer& timer) {
  Session& session = timer.session();
  if (!lab.options.wrap.empty() || timer.is_only_call(estimated_call_s(timer.state()) * 1e3)) return Unit{};
  session.end();
  const Stopwatch watch;
  TRY(session.load(timer.inputs(), timer.returned()));
  TRY_ASSIGN(const double first_ms, timer.first_call_ms());
  if (first_ms > 0 && first_ms <= watch.ms()) timer.note_metric(MetricName::first_call_ms, {first_ms});
  session.unload();  // so that allocation and copies are timed on a device that is awake
  return Unit{};
}

// Loads several times, because allocation and copies scatter like calls.
Tried<Loaded> load_on_device(CaseTimer& timer) {
  std::vector<double> alloc_ms, in_ms;
  StopRule rule = timer.rule_of_copies();
  const Stopwatch watch;
  for (;;) {
    TRY_ASSIGN(const Loaded loaded, timer.session().load(timer.inputs(), timer.returned()));
    alloc_ms.push_back(loaded.alloc_ms);
    in_ms.push_back(loaded.in_ms);
    if (rule.add(loaded.in_ms, watch.s()) != StopReason::none || interrupted()) {
      timer.note_metric(MetricName::alloc_ms, alloc_ms);
      timer.note_metric(MetricName::h2d_ms, in_ms);
      return loaded;
    }
    timer.session().unload();
  }
}

// Loads, calls once, finds the batch size, warms up.
Tried<Unit> prepare(const PlacedLab& lab, CaseTimer& timer) {
  Session& session = timer.session();
  TRY(time_first_call(lab, timer));
  TRY_ASSIGN(const Loaded loaded,
             session.gpu() ? load_on_device(timer) : session.load(timer.inputs(), timer.returned()));
  if (!loaded.choice.empty()) timer.record().notes.push_back({NoteCode::choice, {{"choice", loaded.choice}}});
  if (session.gpu())
    if (const auto warps = occupied_warps(loaded.launch, session.build().opened.device, lab.config.device))
      timer.record().metrics.emplace_back(MetricName::warps_occupied, *warps);
  TRY_ASSIGN(double call_ms, timer.batch(1));
  timer.record().warmup_ms.push_back(call_ms);
  if (timer.is_only_call(call_ms)) {
    timer.record().samples_ms.push_back(call_ms);
    timer.record().rounds.push_back(0);
    timer.record().notes.push_back({NoteCode::no_warm_up, {{"call_ms", call_ms}}});
    (void)timer.rule.add(call_ms, timer.spent_s);
    if (timer.spent_s >= timer.max_s()) timer.stop(StopReason::time_cap);
    return Unit{};
  }
  const double warm_ms = session.gpu() ? warm_gpu_ms : warm_cpu_ms;
  double warmed_ms = timer.passed_ms;
  for (int i = 0; i < 64 && (warmed_ms < warm_ms || i < 2) && !interrupted(); ++i) {
    const double before_s = timer.spent_s;
    TRY_ASSIGN(call_ms, timer.batch(timer.calls_for_batch()));
    timer.record().warmup_ms.push_back(call_ms);
    warmed_ms += (timer.spent_s - before_s) * 1e3;
    if (timer.spent_s > 0.5 * timer.max_s()) break;
  }
  timer.calls = timer.calls_for_batch();
  timer.spent_s = 0;
  return Unit{};
}

void sample(CaseTimer& timer, const GpuWatch& watch, int round) {
  const auto call_ms = timer.batch(timer.calls);
  if (!call_ms) return timer.fail(call_ms.error());
  timer.record().samples_ms.push_back(*call_ms);
  timer.record().rounds.push_back(round);
  if (const auto mhz = watch.sm_clock_mhz()) timer.sm_clock_mhz.push_back(*mhz);
  const StopReason reason = timer.rule.add(*call_ms, timer.spent_s);
  if (reason != StopReason::none) timer.stop(reason);
}

/// Successive halving: the slower half, without those whose interval overlaps that of the fastest.
std::vector<CaseTimer*> clearly_slower(const std::vector<std::unique_ptr<CaseTimer>>& timers) {
  std::vector<std::pair<Summary, CaseTimer*>> ranked;
  for (const auto& timer : timers)
    if (const Summary times = timer->record().summary(); times.interval) ranked.emplace_back(times, timer.get());
  if (ranked.empty()) return {};
  std::ranges::sort(ranked, {}, [](const auto& entry) { return entry.first.median; });
  const double bar = ranked.front().first.interval->high;
  std::erase_if(ranked, [](const auto& entry) { return !entry.second->active; });
  std::vector<CaseTimer*> slower;
  for (size_t i = (ranked.size() + 1) / 2; i < ranked.size(); ++i)
    if (ranked[i].first.interval->low > bar) slower.push_back(ranked[i].second);
  return slower;
}

void end(const PlacedLab& lab, CaseTimer& timer) {
  CaseRecord& record = timer.record();
  timer.ended = true;
  record.calls_per_sample = timer.calls;
  // The limit came from the budget, not from the policy.
  if (record.stop_reason == StopReason::time_cap && timer.max_s() < lab.config.measure.max_time_s)
    record.stop_reason = StopReason::budget;
  if (record.samples_ms.empty() || interrupted()) return;
  if (!timer.sm_clock_mhz.empty()) timer.note_metric(MetricName::sm_clock_mhz, timer.sm_clock_mhz);
  auto verified = timer.finish();
  if (const auto forbidden = timer.session().forbidden_code(); forbidden && verified) verified = *forbidden;
  for (const NoteCode code : timer.session().not_observed()) record.notes.push_back({code});
  if (!verified)
    timer.fail(verified.error());
  else
    timer.succeed();
  timer.session().unload();
  if (!record.samples_ms.empty())
    timer.session().build().note_speed(timer.inputs().problem().flops(), summarize(record.samples_ms).median * 1e-3);
}

}  // namespace

void time_group(const PlacedLab& lab, IdleControl& idle, const GpuWatch& watch, std::vector<TimedCase>& cases) {
  idle.next_group();
  const ProblemPtr problem = cases.front().state->plan->problem;
  auto inputs = Inputs::draw(problem, Fill::reals, secret_bits(), Edge::middle);
  std::vector<std::unique_ptr<CaseTimer>> timers;
  for (TimedCase& timed : cases) {
    auto returned =
        inputs ? ReturnedRegions::make(*inputs, timed.session->placement()) : Result<ReturnedRegions>(inputs.error());
    if (!returned) {
      timed.state->evidence.failure = Failure{Status::OUT_OF_MEMORY, returned.error().message};
      continue;
    }
    const auto make = timed.session->gpu() ? gpu_timer : cpu_timer;
    timers.push_back(make(lab, timed, *inputs, *std::move(returned), idle));
    timers.back()->record().calls_per_sample = 1;
  }
  for (const auto& timer : timers)
    if (auto ready = prepare(lab, *timer); !ready) timer->fail(ready.error());

  std::vector<CaseTimer*> active;
  for (int round = 1;; ++round) {
    active.clear();
    for (const auto& timer : timers)
      if (timer->active) active.push_back(timer.get());
    if (active.empty() || interrupted()) break;
    shuffle(active, secret_bits());
    for (CaseTimer* timer : active)
      if (!interrupted()) sample(*timer, watch, round);
    if (!lab.config.measure.drop_slower || round < first_look || !std::has_single_bit(static_cast<unsigned>(round))) continue;
    for (CaseTimer* timer : clearly_slower(timers)) {
      timer->stop(StopReason::slower);
      end(lab, *timer);
    }
  }

  for (const auto& timer : timers)
    if (!timer->ended) end(lab, *timer);
}

}  // namespace harness
