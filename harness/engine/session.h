// The worker of one build. It starts when it is first needed, and again after it ended.
#pragma once

#include <map>
#include <set>

#include "harness/engine/cases.h"

namespace harness {

/// What a worker on the GPU needs, without the variant.
WorkerSetup gpu_setup(const PlacedLab& lab);
/// What a worker on the CPU needs, without the variant and its memory limit.
WorkerSetup cpu_setup(const PlacedLab& lab, int threads);

class Session {
 public:
  Session(const PlacedLab& lab, Build& build) : lab_(lab), build_(build) {}
  Session(Session&&) = default;

  Tried<Loaded> load(const Inputs& inputs, ReturnedRegions& returned);
  Tried<Answered> run(protocol::Cache cache, Data data, double expected_s);
  Tried<Fetched> fetch();
  /// Fetches, and verifies that the output of a timed call on a device is the one that the worker had when it answered.
  Tried<Fetched> fetch_output_of_call(ReturnedRegions& returned);
  /// A call of a CPU variant: see Worker::timed_call.
  Tried<TimedCall> timed_call(const AroundCall& around, double expected_s);
  void pause() {
    if (worker_) worker_->pause();
  }
  Tried<Unit> wait_until_paused();
  /// What its process has loaded although this lab forbids it: the failure.
  std::optional<Failure> forbidden_code();
  /// What this machine did not let the harness observe of its processes.
  const std::set<NoteCode>& not_observed() const { return not_observed_; }
  void unload();
  /// If its process has less memory than a problem with buffers of that size needs, the next load starts another.
  void make_room(int64_t bytes);
  /// Ends the worker. The next load starts another.
  void end();
  /// What the emulated device saw since the last call, mistakes first. It outlives the worker.
  std::vector<lab_diagnostic> take_diagnostics();

  Build& build() { return build_; }
  std::string printed() const;  // by this worker; after its end too, until the next one starts
  /// What this worker printed since the last call.
  std::string take_printed();
  /// How long a call may take, in addition to the expected time.
  double call_limit_s() const;
  /// With four times the expected time. That comes from what smaller problems took, so a variant could stretch it: it counts
  /// up to `case_time`.
  double call_limit_s(double expected_s) const;
  /// A call of a small problem of the check has a few seconds, so an endless loop ends soon.
  enum class Problems { small, of_the_case };
  void expect(Problems problems) { problems_ = problems; }
  protocol::Placement placement() const;
  /// Where the data lie in a buffer: on the CPU at one of its ends, because the pages next to it are inaccessible. On a
  /// GPU between bands that show what is written there; but a tool that watches the GPU knows only where allocations end.
  Edge edge(Edge at_an_end = Edge::end) const {
    return gpu() && lab_.options.wrap.empty() ? Edge::middle : at_an_end;
  }
  /// Why the machine failed, for example because it could not start a worker; empty: it did not.
  const std::string& machine_failure() const { return machine_failure_; }
  /// False if it never got as far as loading: then an error has nothing to do with a problem.
  bool was_loaded() const { return was_loaded_; }
  bool gpu() const { return build_.variant->gpu; }
  bool emulated() const { return lab_.emulates(*build_.variant); }

 private:
  Tried<Unit> start();
  template <class T>
  Tried<T> end_if_failed(Tried<T> outcome);
  void ask_diagnostics();
  void add_emulated_device(WorkerSetup& setup) const;

  const PlacedLab& lab_;
  Build& build_;
  std::optional<Worker> worker_;
  std::string printed_, machine_failure_;
  size_t taken_ = 0;  // how many bytes of this worker's output the cases have shown
  std::vector<lab_diagnostic> diagnostics_;
  std::set<NoteCode> not_observed_;
  Problems problems_ = Problems::of_the_case;
  bool was_loaded_ = false;
};

/// One session for each build that has unfinished cases.
class Sessions {
 public:
  explicit Sessions(const PlacedLab& lab) : lab_(lab) {}
  Session& of(Build& build) { return sessions_.try_emplace(&build, lab_, build).first->second; }
  /// What the build's last worker printed. A failed assertion says there what no status can.
  std::string printed_by(Build* build) const;
  /// What it printed since the last call: a case shows only its own lines.
  std::string newly_printed_by(Build* build);
  /// An error if the machine failed in one of them.
  Done check_machine() const;
  void end_unneeded(const Cases& cases);

 private:
  const PlacedLab& lab_;
  std::map<Build*, Session> sessions_;
};

}  // namespace harness
