#include "harness/engine/case_timer.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "harness/base/interrupt.h"
#include "harness/base/random.h"
#include "harness/base/stopwatch.h"
#include "harness/engine/check_case.h"
#include "harness/engine/check_call.h"
#include "harness/engine/idle_control.h"
#include "harness/engine/metrics.h"

namespace harness {
namespace {

// Checks of whole outputs may take this share of the time of the batches.
constexpr double check_share = 0.05;
// Copies to a device, or from it, are sampled until their interval is so narrow, or for this share of a case's time.
constexpr double copies_precision = 0.05;
constexpr double copies_share = 0.2;
constexpr int copy_samples = 6;      // an interval needs so many
constexpr int most_calls = 4096;     // of a batch
constexpr double most_checked = 1.0 / 3;  // of all calls, as a whole
constexpr int most_weak_checks = 10;
// After a call that took so much longer than twice the usual time, the harness waits until the Linux kernel has cleaned up.
constexpr double unusual_ms = 10;

}  // namespace

CaseTimer::CaseTimer(const PlacedLab& lab, TimedCase& timed, Inputs& inputs, ReturnedRegions returned)
    : rule({lab.config.measure.precision, lab.config.measure.min_samples, lab.config.measure.max_samples, timed.max_s}),
      lab_(lab),
      timed_(&timed),
      inputs_(inputs),
      returned_(std::move(returned)),
      check_s_(estimated_check_s(inputs.problem())) {}

void CaseTimer::fail(const Failure& failure) {
  active = false;
  timed_->state->fail(failure);
}

void CaseTimer::note_metric(MetricName name, const std::vector<double>& samples) {
  record().metrics.emplace_back(name, metric_of(samples));
}

StopRule CaseTimer::rule_of_copies() const {
  return StopRule({copies_precision, copy_samples, lab_.config.measure.max_samples, copies_share * max_s()});
}

double CaseTimer::expected_s(int count) {
  const double rate = session().build().flops_per_s;
  return rate > 0 ? count * inputs_.problem().flops() / rate : 0;
}

int CaseTimer::calls_for_batch() const {
  return std::clamp(static_cast<int>(std::ceil(lab_.config.measure.min_batch_ms / passed_ms)), 1, most_calls);
}

Tried<double> CaseTimer::batch(int count) {
  const Stopwatch watch;
  const double checks_before_s = checks_s_;
  TRY(before_batch());
  const double before_s = watch.s() - (checks_s_ - checks_before_s);
  std::vector<double> each_ms;
  for (int i = 0; i < count; ++i) {
    TRY_ASSIGN(const double ms, call());
    each_ms.push_back(ms);
  }
  TRY(session().wait_until_paused());
  const double passed_s = watch.s() - (checks_s_ - checks_before_s);
  spent_s += passed_s;
  run_s_ += passed_s;
  passed_ms = (passed_s - before_s) * 1e3 / count;
  const Summary times = summarize(each_ms);
  if (times.max > 2 * times.median + unusual_ms) std::this_thread::sleep_for(kernel_cleans_up);
  return times.median;
}

bool CaseTimer::draws_check() const {
  const double call_s = run_s_ / std::max(1, calls_made_);
  const double chance = checked() ? std::min(most_checked, check_share * call_s / check_s_) : most_checked;
  return static_cast<double>(secret_bits()) < chance * 0x1p64;
}

Tried<Unit> CaseTimer::check() {
  const Stopwatch watch;
  TRY_ASSIGN(const CheckLine line, check_last_call());
  check_s_ = watch.s();
  checks_s_ += check_s_;
  if (line.weak) {  // a few long sums may all be near 0 by chance; the outputs of other calls decide
    if (!checked() && ++weak_checks_ == most_weak_checks) return zeros_would_pass(inputs_.problem());
    return Unit{};
  }
  if (!checked() || line.worst_ratio > checked_.worst_ratio) checked_ = line;
  ++checks_;
  record().check.timed_output = true;
  return Unit{};
}

Tried<Unit> CaseTimer::make_checked_call() {
  while (!checked()) {
    TRY(call());
    if (!checked()) TRY(check());
  }
  return Unit{};
}

void CaseTimer::record_check(std::string detail) {
  checked_.detail = std::move(detail);
  record().check.lines.push_back(checked_);
}

}  // namespace harness
