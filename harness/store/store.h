// results/harness.sqlite: written as each case ends, so that kill -9 at any moment loses at most the case in
// flight. One row a run, a build, a case, a sample set. Several processes may read while one writes (WAL),
// which needs them on one machine: on a cluster each writes its own folder, to be merged. After a power
// failure the last commits may be missing, never more (synchronous = NORMAL).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "harness/base/files.h"
#include "harness/base/result.h"
#include "harness/store/run_record.h"

namespace harness {

/// Calls from several threads are served one after the other. Not to be used across a fork.
class Store {
 public:
  /// Opens or makes `results`/harness.sqlite. A file of another schema version or a damaged one is an error
  /// that says how to go on (move it away; results/<lab>/<run>/run.json stays readable).
  static Result<Store> open(const fs::path& results);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  /// `record`: what is known at the start, with at least run.lab. Take the lab's RunLock before. Returns the run id,
  /// YYYYMMDD-HHMMSS-xxxx (UTC). The store sets id, started, finished, state and seconds of `record.run` itself, and
  /// keeps builds and cases apart.
  Result<std::string> begin_run(const RunRecord& record);
  /// Replaces the record, when more is known.
  Done update_run(const std::string& run_id, const RunRecord& record);
  /// state: "complete" or "interrupted".
  Done end_run(const std::string& run_id, const std::string& state);

  Done record_build(const std::string& run_id, const BuildRecord& build);
  /// Replaces what the run recorded under the same case id.
  Done record_case(const std::string& run_id, const CaseRecord& record);

  /// The newest finished case with this run key, whichever run measured it; its reused_from names that run.
  /// CANCELLED and SKIPPED are never reused.
  Result<std::optional<CaseRecord>> find_case(const std::string& run_key);
  /// Runs that still say "running" although no process holds their lock: the kill -9 case. Marks them
  /// interrupted.
  Done close_torn_runs(const std::string& lab);

  /// The text of run.json. Cases in the order of the plan, or of the record_case calls if the plan gave none.
  Result<std::string> run_json(const std::string& run_id);
  /// Writes results/<lab>/<run-id>/run.json and points results/<lab>/latest at it, unless that names a newer run.
  /// Returns the folder.
  Result<fs::path> write_run_folder(const fs::path& results, const std::string& run_id);
  /// `spec`: a run id, a unique prefix of one, "latest", or a lab name (its newest). Errors suggest.
  Result<std::string> resolve_run(const std::string& spec);

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Held while a run writes into results/<lab>: a second run on the same folder is refused with the holder's
/// pid and start time. Freed by the kernel when the process ends, however it ends.
class RunLock {
 public:
  static Result<RunLock> take(const fs::path& results, const std::string& lab);
  RunLock(RunLock&&) noexcept;
  RunLock& operator=(RunLock&&) = delete;
  ~RunLock();

 private:
  explicit RunLock(int fd) : fd_(fd) {}
  int fd_ = -1;
};

}  // namespace harness
