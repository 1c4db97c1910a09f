// Times one case of a group, call by call. CPU variants are timed from outside (time_on_cpu.cpp). On a GPU the worker
// reports the times of device events, which the harness compares with its own clock (time_on_gpu.cpp).
#pragma once

#include <memory>

#include "harness/engine/time_group.h"
#include "harness/measure/statistics.h"

namespace harness {

class CaseTimer {
 public:
  CaseTimer(const PlacedLab& lab, TimedCase& timed, Inputs& inputs, ReturnedRegions returned);
  virtual ~CaseTimer() = default;

  const CaseState& state() const { return *timed_->state; }
  CaseRecord& record() { return timed_->state->record; }
  Session& session() { return *timed_->session; }
  double max_s() const { return timed_->max_s; }
  /// After such a long call the machine is warm, and a second one would double the cost of the case.
  bool is_only_call(double call_ms) const { return call_ms * 1e-3 > 0.25 * max_s(); }
  Inputs& inputs() { return inputs_; }
  ReturnedRegions& returned() { return returned_; }
  void fail(const Failure& failure);
  /// No more samples.
  void stop(StopReason reason) {
    active = false;
    record().stop_reason = reason;
  }
  void succeed() { timed_->state->evidence.finished = true; }
  void note_metric(MetricName name, const std::vector<double>& samples);
  /// For samples of what is not a call: copies, allocations. They take little of the case's time.
  StopRule rule_of_copies() const;

  /// The first call of a process that has just loaded the problem.
  virtual Tried<double> first_call_ms() = 0;
  /// One sample, in ms: the median of so many calls, each on new data.
  Tried<double> batch(int calls);
  /// The number of calls of a batch, from the time that those of the last one took.
  int calls_for_batch() const;
  /// At the end: is there anything that makes these times doubtful?
  virtual Tried<Unit> finish() = 0;

  StopRule rule;
  int calls = 1;
  double spent_s = 0;    // in all batches
  double passed_ms = 0;  // per call of the last batch, with its new data, without checks
  bool active = true;
  bool ended = false;  // its verdict is known
  std::vector<double> sm_clock_mhz;  // at the samples, where it could be read

 protected:
  virtual Tried<double> call() = 0;
  virtual Tried<Unit> before_batch() { return Unit{}; }
  virtual Tried<CheckLine> check_last_call() = 0;
  /// Checks the whole output of the last call, and counts the time that it takes.
  Tried<Unit> check();
  /// Calls until one is checked: chance may have drawn none.
  Tried<Unit> make_checked_call();
  /// Checks take about their share of the time. After the first one each call has the same chance, so that a variant cannot
  /// tell from its pauses which calls are safe.
  bool draws_check() const;
  bool checked() const { return checks_ > 0; }
  void record_check(std::string detail);
  double expected_s(int calls);

  const PlacedLab& lab_;
  int checks_ = 0, calls_made_ = 0;

 private:
  TimedCase* timed_;
  Inputs& inputs_;
  ReturnedRegions returned_;
  CheckLine checked_;
  int weak_checks_ = 0;              // in which zeros would have passed too
  double check_s_;                   // of one check; first an estimate
  double checks_s_ = 0, run_s_ = 0;  // of all checks, of all batches
};

std::unique_ptr<CaseTimer> cpu_timer(const PlacedLab& lab, TimedCase& timed, Inputs& inputs, ReturnedRegions returned,
                                     IdleControl& idle);
std::unique_ptr<CaseTimer> gpu_timer(const PlacedLab& lab, TimedCase& timed, Inputs& inputs, ReturnedRegions returned,
                                     IdleControl& idle);

}  // namespace harness
