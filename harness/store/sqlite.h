// A thin layer over the C interface of SQLite. Statements stay prepared. Errors are values that say what to do.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/files.h"
#include "harness/base/result.h"

struct sqlite3_stmt;

namespace harness {

struct DatabaseState;

/// Bytes for a BLOB column.
struct Blob {
  std::string_view bytes;
};

/// SQLite's code and text as a message for a person. `system_error`: errno behind it, 0 if unknown.
Error sqlite_error(const fs::path& file, int code, int system_error, std::string_view text);

/// One use of a prepared statement. The same SQL can have only one use at a time.
class Query {
 public:
  Query(DatabaseState* database, sqlite3_stmt* statement) : database_(database), statement_(statement) {}
  Query(Query&& other) noexcept;
  Query& operator=(Query&&) = delete;
  ~Query();

  /// True while there is a row to read. Columns count from 0.
  Result<bool> step();
  int64_t integer(int column) const;
  std::optional<int64_t> maybe_integer(int column) const;
  std::string text(int column) const;  // text or blob, byte for byte

 private:
  friend class Database;
  Done bind(int index, int64_t value);
  Done bind(int index, const std::optional<int64_t>& value);
  Done bind(int index, std::string_view value);
  Done bind(int index, Blob value);

  DatabaseState* database_;
  sqlite3_stmt* statement_;
};

/// A connection for one thread at a time, not to be used after a fork. Write-ahead log with synchronous=NORMAL: commits
/// survive any end of the process. A power failure can lose the last commits, but cannot damage the file.
class Database {
 public:
  /// Opens the file, or makes an empty one.
  static Result<Database> open(const fs::path& file);
  Database(Database&&) noexcept;
  ~Database();

  /// Turns on the write-ahead log. On a file system that does not allow it (a network), SQLite keeps its rollback journal.
  Done use_wal();

  /// `query("SELECT row FROM runs WHERE id = ?", id)`: values are int64_t, optional<int64_t>, text or Blob.
  template <class... Values>
  Result<Query> query(std::string_view sql, const Values&... values) {
    TRY_ASSIGN(Query query, prepare(sql));
    int index = 0;
    Done bound = ok();
    ((bound = bound ? query.bind(++index, values) : bound), ...);
    TRY(bound);
    return query;
  }
  /// A statement whose rows are not needed.
  template <class... Values>
  Done execute(std::string_view sql, const Values&... values) {
    TRY_ASSIGN(Query statement, query(sql, values...));
    for (;;) {
      TRY_ASSIGN(const bool more, statement.step());
      if (!more) return ok();
    }
  }
  /// Several statements, which do not stay prepared.
  Done run_script(const std::string& sql);

 private:
  explicit Database(std::unique_ptr<DatabaseState> state);
  Result<Query> prepare(std::string_view sql);
  std::unique_ptr<DatabaseState> state_;
};

/// Takes the write lock at the start, because taking it later could fail. Rolls back unless committed.
class Transaction {
 public:
  static Result<Transaction> begin(Database& database);
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  Done commit();

 private:
  explicit Transaction(Database* database) : database_(database) {}
  Database* database_;  // null: over
};

}  // namespace harness
