#include "harness/store/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <chrono>
#include <cstring>
#include <thread>
#include <unordered_map>

#include "harness/base/text.h"

namespace harness {
namespace {

constexpr int busy_timeout_ms = 5000;

std::string_view way_out(int code) {
  switch (code & 0xff) {
    case SQLITE_FULL:
    case SQLITE_IOERR:
      return "; free some space and run again: finished cases are kept";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      return "; check who owns the folder, or give --results another one";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return "; move the file away and run again: every results/<lab>/<run>/run.json stays readable";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "; another process is writing to it: wait for that, or give --results another folder";
    default:
      return "";
  }
}

}  // namespace

Error sqlite_error(const fs::path& file, int code, int system_error, std::string_view text) {
  std::string cause;
  // Not for SQLITE_CANTOPEN: SQLite then tries to open the file for reading, and errno is about that attempt.
  if (system_error != 0 && (code & 0xff) == SQLITE_IOERR) cause = fmt::format(" ({})", std::strerror(system_error));
  // A message of SQLite can contain names from a damaged file.
  return {fmt::format("{}: {}{}{}", file.string(), printable(text, 500), cause, way_out(code)), ExitCode::machine};
}

struct DatabaseState {
  fs::path file;
  sqlite3* handle = nullptr;
  std::unordered_map<std::string, sqlite3_stmt*> statements;

  ~DatabaseState() {
    for (const auto& [sql, statement] : statements) sqlite3_finalize(statement);
    sqlite3_close(handle);
  }
  Error error() const {
    if (!handle) return sqlite_error(file, SQLITE_NOMEM, 0, sqlite3_errstr(SQLITE_NOMEM));
    return sqlite_error(file, sqlite3_errcode(handle), sqlite3_system_errno(handle), sqlite3_errmsg(handle));
  }
  Done check(int code) const { return code == SQLITE_OK ? ok() : Done(error()); }
};

Query::Query(Query&& other) noexcept : database_(other.database_), statement_(other.statement_) {
  other.statement_ = nullptr;
}

Query::~Query() {
  if (!statement_) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

Result<bool> Query::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return database_->error();
}

int64_t Query::integer(int column) const { return sqlite3_column_int64(statement_, column); }

std::optional<int64_t> Query::maybe_integer(int column) const {
  if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::nullopt;
  return integer(column);
}

std::string Query::text(int column) const {
  // First the bytes, then their number, because the first call may convert the value.
  const void* bytes = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return bytes ? std::string(static_cast<const char*>(bytes), static_cast<size_t>(size)) : std::string();
}

Done Query::bind(int index, int64_t value) { return database_->check(sqlite3_bind_int64(statement_, index, value)); }

Done Query::bind(int index, const std::optional<int64_t>& value) {
  return value ? bind(index, *value) : database_->check(sqlite3_bind_null(statement_, index));
}

Done Query::bind(int index, std::string_view value) {
  const char* bytes = value.data() ? value.data() : "";  // a null pointer would bind NULL
  return database_->check(sqlite3_bind_text64(statement_, index, bytes, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

Done Query::bind(int index, Blob value) {
  const char* bytes = value.bytes.data() ? value.bytes.data() : "";
  return database_->check(sqlite3_bind_blob64(statement_, index, bytes, value.bytes.size(), SQLITE_TRANSIENT));
}

Database::Database(std::unique_ptr<DatabaseState> state) : state_(std::move(state)) {}
Database::Database(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::open(const fs::path& file) {
  auto state = std::make_unique<DatabaseState>();
  state->file = file;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  TRY(state->check(sqlite3_open_v2(file.c_str(), &state->handle, flags, nullptr)));
  sqlite3_extended_result_codes(state->handle, 1);
  sqlite3_busy_timeout(state->handle, busy_timeout_ms);
  Database database(std::move(state));
  // Someone else may have made the file, so its schema may not call functions, and pages are checked when they are read.
  TRY(
      database.run_script("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; "
                          "PRAGMA cell_size_check = ON"));
  return database;
}

Done Database::use_wal() {
  // SQLite does not wait when another process does the same with a new file.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(busy_timeout_ms);
  for (;;) {
    Done done = run_script("PRAGMA journal_mode = WAL");
    if (done || (sqlite3_errcode(state_->handle) & 0xff) != SQLITE_BUSY || std::chrono::steady_clock::now() > deadline)
      return done;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

Result<Query> Database::prepare(std::string_view sql) {
  sqlite3_stmt*& statement = state_->statements[std::string(sql)];
  if (!statement)
    TRY(state_->check(sqlite3_prepare_v3(state_->handle, sql.data(), static_cast<int>(sql.size()),
                                         SQLITE_PREPARE_PERSISTENT, &statement, nullptr)));
  return Query(state_.get(), statement);
}

Done Database::run_script(const std::string& sql) {
  return state_->check(sqlite3_exec(state_->handle, sql.c_str(), nullptr, nullptr, nullptr));
}

Result<Transaction> Transaction::begin(Database& database) {
  TRY(database.execute("BEGIN IMMEDIATE"));
  return Transaction(&database);
}

Transaction::Transaction(Transaction&& other) noexcept : database_(other.database_) { other.database_ = nullptr; }

Transaction::~Transaction() {
  // After an error SQLite has already rolled back (for example on a full disk).
  if (database_) (void)database_->execute("ROLLBACK");
}

Done Transaction::commit() {
  TRY(database_->execute("COMMIT"));
  database_ = nullptr;
  return ok();
}

}  // namespace harness
