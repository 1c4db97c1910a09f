// results/harness.sqlite, with a row per run, build and case. It is written at the end of each case, so kill -9 loses at most
// the current case. Several processes on one machine can read it while one writes. On a cluster each process writes a folder of
// its own.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "harness/base/files.h"
#include "harness/base/result.h"
#include "harness/store/run_record.h"
#include "harness/store/run_row.h"

namespace harness {

/// Several threads may call it: the calls run one after the other. Not to be used after a fork.
class Store {
 public:
  /// Opens or makes `results`/harness.sqlite. A file of another version or a damaged file is an error that says what to do
  /// (move it away; results/<lab>/<run>/run.json stays readable).
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

  /// The newest finished case of any run with this run key. `reused_from` names the run that measured it. Cases with the
  /// status CANCELLED or SKIPPED are never reused.
  Result<std::optional<CaseRecord>> find_case(const std::string& run_key);
  /// Marks runs as interrupted whose state is "running" although no process holds their lock (after kill -9).
  Done close_torn_runs(const std::string& lab);

  /// The text of run.json. Cases in the order of the plan, or of the record_case calls if the plan gave none.
  Result<std::string> run_json(const std::string& run_id);
  /// Writes results/<lab>/<run-id>/run.json and points results/<lab>/latest at it, unless that names a newer run.
  /// Returns the folder.
  Result<fs::path> write_run_folder(const fs::path& results, const std::string& run_id);
  /// `spec`: a run id, a unique prefix of one, "latest", or a lab name (its newest). Errors suggest.
  Result<std::string> resolve_run(const std::string& spec);
  /// Copies the finished runs of the store in the folder `other`, except those that are here already.
  Done add_runs(const fs::path& other);
  /// All runs, newest first.
  Result<std::vector<RunRow>> runs();

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// A run holds it while it writes into results/<lab>. A second run gets an error with the pid and the start time of the first.
/// The kernel releases the lock when the process ends for any reason.
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
