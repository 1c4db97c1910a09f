#include "harness/store/sqlite.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cerrno>

namespace harness {
namespace {

class Sqlite : public ::testing::Test {
 protected:
  fs::path file() const { return folder_.path() / "a.sqlite"; }

 private:
  TemporaryFolder folder_;
};

TEST_F(Sqlite, KeepsIntegersTextBlobsAndNull) {
  auto db = Database::open(file());
  ASSERT_TRUE(db);
  ASSERT_TRUE(db->run_script("CREATE TABLE t (i INTEGER, n INTEGER, s TEXT, b BLOB) STRICT"));
  const std::string odd("a\0b", 3);
  ASSERT_TRUE(
      db->execute("INSERT INTO t VALUES (?, ?, ?, ?)", INT64_MIN, std::optional<int64_t>(), odd, Blob{odd}));
  auto query = db->query("SELECT i, n, s, b, '' FROM t");
  ASSERT_TRUE(query);
  ASSERT_TRUE(*query->step());
  EXPECT_EQ(query->integer(0), INT64_MIN);
  EXPECT_EQ(query->maybe_integer(0), INT64_MIN);
  EXPECT_FALSE(query->maybe_integer(1));
  EXPECT_EQ(query->text(2), odd);
  EXPECT_EQ(query->text(3), odd);
  EXPECT_EQ(query->text(4), "");
  EXPECT_FALSE(*query->step());
}

TEST_F(Sqlite, UsesAPreparedStatementAgain) {
  auto db = Database::open(file());
  ASSERT_TRUE(db);
  ASSERT_TRUE(db->run_script("CREATE TABLE t (i INTEGER)"));
  for (int64_t i = 0; i < 3; ++i) ASSERT_TRUE(db->execute("INSERT INTO t VALUES (?)", i));
  for (int64_t i = 0; i < 3; ++i) {
    auto query = db->query("SELECT count(*) FROM t WHERE i <= ?", i);
    ASSERT_TRUE(query);
    ASSERT_TRUE(*query->step());
    EXPECT_EQ(query->integer(0), i + 1);
  }
}

TEST_F(Sqlite, GivesBackATransactionThatIsNotCommitted) {
  auto db = Database::open(file());
  ASSERT_TRUE(db);
  ASSERT_TRUE(db->run_script("CREATE TABLE t (i INTEGER)"));
  {
    auto transaction = Transaction::begin(*db);
    ASSERT_TRUE(transaction);
    ASSERT_TRUE(db->execute("INSERT INTO t VALUES (1)"));
  }
  {
    auto transaction = Transaction::begin(*db);
    ASSERT_TRUE(transaction);
    ASSERT_TRUE(db->execute("INSERT INTO t VALUES (2)"));
    ASSERT_TRUE(transaction->commit());
  }
  auto query = db->query("SELECT group_concat(i) FROM t");
  ASSERT_TRUE(*query->step());
  EXPECT_EQ(query->text(0), "2");
}

TEST_F(Sqlite, ReportsWhatSqliteSays) {
  auto db = Database::open(file());
  ASSERT_TRUE(db);
  EXPECT_EQ(db->query("SELECT * FROM nowhere").error().message, file().string() + ": no such table: nowhere");
  EXPECT_EQ(db->query("SELECT 1", int64_t{5}).error().message,
            file().string() + ": column index out of range");
}

TEST(SqliteError, NamesTheWayOut) {
  const auto message = [](int code, int system_error) {
    const Error error = sqlite_error("results/harness.sqlite", code, system_error, sqlite3_errstr(code));
    EXPECT_EQ(error.exit, ExitCode::machine);
    return error.message;
  };
  EXPECT_EQ(message(SQLITE_FULL, 0),
            "results/harness.sqlite: database or disk is full; free some space and run again: finished cases "
            "are kept");
  EXPECT_EQ(message(SQLITE_IOERR_WRITE, ENOSPC),
            "results/harness.sqlite: disk I/O error (No space left on device); free some space and run "
            "again: finished "
            "cases are kept");
  EXPECT_EQ(message(SQLITE_READONLY, 0),
            "results/harness.sqlite: attempt to write a readonly database; check who owns the folder, or "
            "give --results "
            "another one");
  EXPECT_EQ(message(SQLITE_CANTOPEN, EACCES),
            "results/harness.sqlite: unable to open database file; check who owns the "
            "folder, or "
            "give --results another one");
  EXPECT_EQ(
      message(SQLITE_CORRUPT, 0),
      "results/harness.sqlite: database disk image is malformed; move the file away and run again: every "
      "results/<lab>/<run>/run.json stays readable");
  EXPECT_EQ(
      message(SQLITE_BUSY, 0),
      "results/harness.sqlite: database is locked; another process is writing to it: wait for that, or give "
      "--results another folder");
  EXPECT_EQ(message(SQLITE_ERROR, 0), "results/harness.sqlite: SQL logic error");
}

}  // namespace
}  // namespace harness
