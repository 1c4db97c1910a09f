#include "harness/store/schema.h"

#include <fmt/format.h>

namespace harness {
namespace {

constexpr int application_id = 0x48524e53;  // "HRNS", shown by file(1)

// Keys are hashes of the content (build key, run key). `row` counts in the order of writing.
constexpr const char* tables = R"(
CREATE TABLE runs (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  lab TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'complete', 'interrupted')),
  started_ms INTEGER NOT NULL,  -- since 1970, UTC
  finished_ms INTEGER,
  header TEXT NOT NULL          -- JSON: run.json with no builds and cases
) STRICT;
CREATE INDEX runs_by_lab ON runs (lab);

CREATE TABLE builds (
  run INTEGER NOT NULL REFERENCES runs (row) ON DELETE CASCADE,
  key TEXT NOT NULL,            -- empty if the source cannot be compiled
  variant TEXT NOT NULL,
  macros TEXT NOT NULL,
  record TEXT NOT NULL,         -- JSON: one element of run.json's builds
  PRIMARY KEY (run, key, variant, macros)
) STRICT;

CREATE TABLE cases (
  row INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs (row) ON DELETE CASCADE,
  id TEXT NOT NULL,
  plan_order INTEGER,                -- in the plan
  run_key TEXT NOT NULL,
  status TEXT NOT NULL,
  record TEXT NOT NULL,         -- JSON: one element of run.json's cases
  UNIQUE (run, id)
) STRICT;
CREATE INDEX cases_by_run_key ON cases (run_key);
)";

struct Identity {
  int64_t application = 0, version = 0, objects = 0;
  bool empty() const { return application == 0 && version == 0 && objects == 0; }
};

Result<Identity> identify(Database& database) {
  const char* sql =
      "SELECT (SELECT application_id FROM pragma_application_id), "
      "(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_master)";
  TRY_ASSIGN(Query query, database.query(sql));
  TRY_ASSIGN(const bool found, query.step());
  if (!found) return Identity{};
  return Identity{query.integer(0), query.integer(1), query.integer(2)};
}

Done must_be_ours(const Identity& identity, const fs::path& file) {
  if (identity.application != application_id)
    return Error{
        fmt::format("{}: a database of another program; move it away, or give --results another folder", file.string()),
        ExitCode::machine};
  if (identity.version != store_version)
    return Error{
        fmt::format("{}: written by {} harness (store version {}, this one has {}); use that one, or move the file "
                    "away and run again: every results/<lab>/<run>/run.json stays readable",
                    file.string(), identity.version > store_version ? "a newer" : "an older", identity.version,
                    store_version),
        ExitCode::machine};
  return ok();
}

}  // namespace

Done prepare_schema(Database& database, const fs::path& file) {
  TRY_ASSIGN(const Identity before, identify(database));
  if (!before.empty()) {
    TRY(must_be_ours(before, file));
    return database.use_wal();
  }
  TRY(database.use_wal());
  TRY_ASSIGN(Transaction transaction, Transaction::begin(database));
  TRY_ASSIGN(const Identity now, identify(database));  // another process may have made the tables in the meantime
  if (!now.empty()) return must_be_ours(now, file);
  TRY(database.run_script(tables));
  TRY(database.run_script(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application_id, store_version)));
  return transaction.commit();
}

}  // namespace harness
