// One case while its group is timed: its batches, the proofs of their outputs, what the clocks say.
#pragma once

#include <functional>
#include <string>

#include "harness/engine/time_group.h"
#include "harness/measure/clocks.h"
#include "harness/measure/statistics.h"

namespace harness {

class Lane {
 public:
  /// A batch of so many calls that compute nothing, where this lane's are timed.
  using RunIdle = std::function<Tried<ClockedBatch>(int calls)>;

  Lane(const Context& context, Timed& timed, const Inputs& inputs, Returned returned,
       const std::optional<Overhead>& overhead, RunIdle run_idle);

  const Case& planned() const { return *timed_->state->plan; }
  CaseRecord& record() { return timed_->state->record; }
  Session& session() { return *timed_->session; }
  double cap_s() const { return timed_->cap_s; }
  Returned& returned() { return returned_; }
  void fail(const Failure& failure);
  void succeed() { timed_->state->evidence.finished = true; }
  void note_metric(MetricName name, double value);

  /// About so many calls on fresh data, as the mean time of one. How many, and whether the output of the last
  /// is proved, is decided here and now: nobody can know which calls are looked at.
  Tried<double> batch(int calls);
  /// The output of the last batch is right, and the clocks agree on all of them.
  Tried<Unit> finish();

  StopRule rule;
  int calls = 1;
  double spent_s = 0, passed_ms = 0;  // in all batches; by our clock, for a call of the last batch
  bool active = true;

 private:
  Tried<Batch> run(int calls);
  Tried<Fetched> fetch();
  Tried<Unit> prove(const Batch& batch);
  bool worth_proving() const;
  Tried<Unit> hold_clocks_together();
  Tried<Unit> hold_device_clocks_together();
  Tried<Unit> hold_fetches_together();
  ClockedBatch clocked(const Batch& batch) const;
  Tried<ClockVerdict> look(int calls, size_t batches);
  Tried<Unit> audit(int calls);
  Tried<Unit> audit_beside(int calls, ClockVerdict::By doubted_by);
  ClockVerdict compare(const std::vector<ClockedBatch>& batches, const Overhead& overhead);

  const Context& context_;
  Timed* timed_;
  const Inputs& inputs_;
  Returned returned_;
  std::optional<Overhead> overhead_;  // nothing: it could not be measured
  RunIdle run_idle_;
  std::vector<ClockedBatch> clocked_;
  std::optional<Batch> unproved_;  // the last batch, if its output was not looked at
  CheckLine proved_;
  std::optional<double> first_fetch_ms_;  // from a device
  std::optional<double> fetch_ms_;        // the quickest of the others
  double proof_s_, proofs_s_ = 0, run_s_ = 0;  // one proof about, all, all batches
};

/// How the config wants the cache to be on a GPU.
protocol::Cache cache_of(const Context& context);
double mean(const std::vector<double>& v);

}  // namespace harness
