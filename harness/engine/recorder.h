// One run in the store. The progress display gets the same facts as events.
#pragma once

#include "harness/engine/cases.h"
#include "harness/engine/events.h"
#include "harness/store/store.h"

namespace harness {

class Recorder {
 public:
  /// Takes the lock of the lab's results, removes what killed runs left behind, and begins a run.
  static Result<Recorder> begin(const PlacedLab& lab, const Cases& cases, EventSink& events);

  Store& store() { return store_; }
  const std::string& run_id() const { return run_id_; }
  const fs::path& folder() const { return folder_; }
  void emit(const Event& event) const { events_->on(event); }

  /// What run.json says of the run; `save` writes it to the store.
  RunRecord& run() { return run_; }
  Done save() { return store_.update_run(run_id_, run_); }
  /// Writes the case. Without an event, because nothing was done for it: it was skipped or interrupted.
  Done record(CaseState& state);
  /// Writes the case and reports its end.
  Done finish(CaseState& state, const Cases& cases);
  /// Writes the state of the run, and its run.json.
  Done end(const PlacedLab& lab, const Cases& cases, bool interrupted);

 private:
  Recorder(RunLock lock, Store store, EventSink& events)
      : lock_(std::move(lock)), store_(std::move(store)), events_(&events) {}

  RunLock lock_;
  Store store_;
  EventSink* events_;
  std::string run_id_;
  fs::path folder_;  // results/<lab>/<run-id>
  RunRecord run_;
};

/// What is known of a run before its first case.
RunRecord run_header(const PlacedLab& lab, const Cases& cases);
/// The variants of the cases, with what their workers reported.
std::vector<VariantRecord> variant_records(const PlacedLab& lab, const Cases& cases);

}  // namespace harness
