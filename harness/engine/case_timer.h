// Times one case of a group: its batches, the checks of their outputs, and the comparison of clocks.
#pragma once

#include <functional>
#include <string>

#include "harness/engine/time_group.h"
#include "harness/measure/clocks.h"
#include "harness/measure/statistics.h"

namespace harness {

class CaseTimer {
 public:
  /// Runs a batch of calls that compute nothing, on the device where this case is timed.
  using RunIdle = std::function<Tried<ClockedBatch>(int calls)>;

  CaseTimer(const PlacedLab& lab, TimedCase& timed, const Inputs& inputs, ReturnedRegions returned,
            const std::optional<Overhead>& overhead, RunIdle run_idle);

  const Case& planned() const { return *timed_->state->plan; }
  CaseRecord& record() { return timed_->state->record; }
  Session& session() { return *timed_->session; }
  double max_s() const { return timed_->max_s; }
  ReturnedRegions& returned() { return returned_; }
  void fail(const Failure& failure);
  void succeed() { timed_->state->evidence.finished = true; }
  void note_metric(MetricName name, double value);

  /// The mean time of about this many calls on new data. The exact number, and whether the output of the last call is
  /// checked, are drawn at random, so that a variant cannot know which calls are checked.
  Tried<double> batch(int calls);
  /// Checks the output of the last batch, and compares the clocks over all batches.
  Tried<Unit> finish();

  StopRule rule;
  int calls = 1;
  double spent_s = 0;    // in all batches
  double passed_ms = 0;  // per call of the last batch, by the clock of the harness
  bool active = true;

 private:
  Tried<Batch> run(int calls);
  Tried<Fetched> fetch();
  Tried<Unit> check(const Batch& batch);
  bool worth_checking() const;
  Tried<Unit> compare_cpu_clocks();
  Tried<Unit> compare_gpu_clocks();
  Tried<Unit> compare_fetches();
  ClockedBatch clocked(const Batch& batch) const;
  Tried<ClockVerdict> look(int calls, size_t batches);
  Tried<Unit> audit(int calls);
  Tried<Unit> audit_beside(int calls, ClockVerdict::By doubted_by);
  ClockVerdict compare(const std::vector<ClockedBatch>& batches, const Overhead& overhead);

  const PlacedLab& lab_;
  TimedCase* timed_;
  const Inputs& inputs_;
  ReturnedRegions returned_;
  std::optional<Overhead> overhead_;  // nothing: could not be measured
  RunIdle run_idle_;
  std::vector<ClockedBatch> clocked_;
  std::optional<Batch> unchecked_;  // the last batch, if its output was not checked
  CheckLine checked_;
  std::optional<double> first_fetch_ms_;       // from a device
  std::optional<double> fetch_ms_;             // the shortest of the others
  double check_s_, checks_s_ = 0, run_s_ = 0;  // of one check (estimated), of all checks, of all batches
};

/// How the config wants the cache to be on a GPU.
protocol::Cache cache_of(const PlacedLab& lab);
double mean(const std::vector<double>& v);

}  // namespace harness
