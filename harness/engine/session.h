// One worker for one target, started when first needed and again after it died.
#pragma once

#include <set>

#include "harness/engine/context.h"

namespace harness {

/// What a worker on the GPU needs, less the variant.
WorkerSetup gpu_setup(const Context& context);
/// What a worker on the CPU needs, less the variant and its limit of memory.
WorkerSetup cpu_setup(const Context& context, int threads);

class Session {
 public:
  Session(const Context& context, Target& target) : context_(context), target_(target) {}
  Session(Session&&) = default;

  Tried<Loaded> load(const Inputs& inputs, Returned& returned, protocol::Placement placement);
  Tried<Batch> run(int calls, protocol::Cache cache, Data data, double expected_s);
  Tried<Fetched> fetch();
  /// The output of a timed run; of a CPU variant without its worker's help, where that can be.
  Tried<Fetched> take_output(Returned& returned);
  /// The first library that its process has mapped and this lab forbids.
  std::optional<std::string> forbidden_library();
  /// What this machine did not let the harness observe of its processes.
  const std::set<NoteCode>& not_observed() const { return not_observed_; }
  void unload();
  /// The next load starts a fresh process, which takes about start_s().
  void end();
  double start_s() const { return start_s_; }
  /// What the emulated device saw since the last call, mistakes first; what explains an error is kept beyond
  /// the worker's end.
  std::vector<lab_diagnostic> take_diagnostics();

  Target& target() { return target_; }
  const std::string& printed() const { return printed_; }  // what the last worker that died had printed
  protocol::Placement check_placement() const;
  protocol::Placement timing_placement() const;
  /// Did it ever get past loading? What happens before has nothing to do with a problem.
  bool was_loaded() const { return was_loaded_; }
  bool gpu() const { return target_.variant->gpu; }
  bool emulated() const { return context_.emulates(*target_.variant); }

 private:
  Tried<Unit> start();
  template <class T>
  Tried<T> watch(Tried<T> outcome);
  void ask_diagnostics();
  void restrain(WorkerSetup& setup) const;

  const Context& context_;
  Target& target_;
  std::optional<Worker> worker_;
  std::string printed_;
  std::vector<lab_diagnostic> seen_;
  std::set<NoteCode> not_observed_;
  bool was_loaded_ = false;
  double start_s_ = 0;
};

}  // namespace harness
