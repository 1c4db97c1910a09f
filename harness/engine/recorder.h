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

  Done update(const nlohmann::json& parts) { return store_.update_run(run_id_, parts); }
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
  nlohmann::json noise_before_;
};

/// What run.json says of a run before its first case.
nlohmann::json run_header(const PlacedLab& lab, const Cases& cases);
/// The variants of the cases, with what their workers reported.
nlohmann::json variant_rows(const PlacedLab& lab, const Cases& cases);
/// What the config leaves out, with the reasons, as in run.json.
nlohmann::json excluded_json(const Plan& plan);

}  // namespace harness
