// Inside of Store, shared by the files that implement it.
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
  /// A record that SQLite could read and we cannot.
  Error damaged(const std::string& what) const;
  /// The functions of Store without the lock, for each other.
  Result<nlohmann::ordered_json> run_json(const std::string& run_id);
};

/// A case as it stands in the tables; nothing if it does not fit.
std::optional<CaseRecord> stored_case(const std::string& record, const std::string& samples_ms,
                                      const std::string& rounds, const std::string& warmup_ms);

}  // namespace harness
