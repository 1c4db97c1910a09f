// The inside of Store, for the files that implement it.
#pragma once

#include <mutex>
#include <utility>

#include "harness/store/sqlite.h"
#include "harness/store/store.h"

namespace harness {

struct Store::Impl {
  Impl(fs::path folder, fs::path database_file, Database database)
      : results(std::move(folder)), file(std::move(database_file)), db(std::move(database)) {}

  fs::path results, file;
  Database db;
  std::mutex mutex;  // one connection, one thread at a time; held by every public function of Store

  /// Row of a run, or `no run "x" in results/harness.sqlite`.
  Result<int64_t> row_of(const std::string& run_id);
  /// The error for a record that SQLite can read but the harness cannot.
  Error damaged(const std::string& what) const;
  /// The lab of a run. An error if the lab or the run cannot name a folder, as in a store from elsewhere.
  Result<std::string> lab_of(const std::string& run_id);
  /// As Store::run_json, for a caller that holds the lock.
  Result<std::string> run_json(const std::string& run_id);
  Result<std::string> list(const std::string& sql, int64_t run, const std::string& run_id);
};

}  // namespace harness
