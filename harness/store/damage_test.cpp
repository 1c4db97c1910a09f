// A file that is no store, belongs to another program or is damaged is left unchanged, and the error names it.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "harness/base/random.h"
#include "harness/store/sqlite.h"
#include "harness/store/store.h"
#include "harness/store/testing.h"

namespace harness {
namespace {

using testing::outcome;

class Damage : public testing::StoreFolder {};

const std::string move_it =
    "; move the file away and run again: every results/<lab>/<run>/run.json stays readable";

TEST_F(Damage, FileThatIsNoDatabase) {
  fs::create_directories(results());
  for (const std::string& text : {std::string("notes of mine\n"), std::string(10000, 'x')}) {
    std::ofstream(file()) << text << std::flush;
    EXPECT_EQ(opening(), file().string() + ": file is not a database" + move_it);
    EXPECT_EQ(*read_file(file()), text) << "left as it was";
  }
}

TEST_F(Damage, DatabaseOfAnotherProgram) {
  fs::create_directories(results());
  ASSERT_TRUE(Database::open(file())->run_script("CREATE TABLE photos (name TEXT)"));
  const std::string before = *read_file(file());
  EXPECT_EQ(opening(), file().string() +
                           ": a database of another program; move it away, or give --results another folder");
  EXPECT_EQ(*read_file(file()), before) << "left as it was";
}

TEST_F(Damage, StoreOfAnotherVersion) {
  fill(1);
  ASSERT_TRUE(Database::open(file())->run_script("PRAGMA user_version = 7"));
  EXPECT_EQ(opening(),
            file().string() +
                ": written by a newer harness (store version 7, this one has 2); use that one, or move the "
                "file away and run again: every results/<lab>/<run>/run.json stays readable");
}

TEST_F(Damage, EmptyFileIsANewStore) {
  fs::create_directories(results());
  std::ofstream(file()).close();
  EXPECT_EQ(opening(), "ok");
}

TEST_F(Damage, OverwrittenPages) {
  const std::string id = fill(200);
  std::string bytes = *read_file(file());
  ASSERT_GT(bytes.size(), 100000u);
  std::fill(bytes.begin() + 4096, bytes.end(), '\xff');
  std::ofstream(file()) << bytes << std::flush;
  auto store = Store::open(results());
  const std::string message = store ? outcome(store->run_json(id)) : store.error().message;
  EXPECT_EQ(message, file().string() + ": database disk image is malformed" + move_it);
}

TEST_F(Damage, CutOffFile) {
  const std::string id = fill(200);
  fs::resize_file(file(), fs::file_size(file()) / 2);
  auto store = Store::open(results());
  const std::string message = store ? outcome(store->run_json(id)) : store.error().message;
  EXPECT_EQ(message, file().string() + ": database disk image is malformed" + move_it);
}

TEST_F(Damage, RecordThatSqliteReadsAndWeDoNot) {
  const std::string id = fill(2);
  ASSERT_TRUE(Database::open(file())->run_script("UPDATE cases SET record = '{' WHERE run_key = 'k1'"));
  auto store = Store::open(results());
  ASSERT_TRUE(store);
  EXPECT_EQ(outcome(store->run_json(id)), file().string() +
                                              ": damaged: case lab5/cpu_sizes/cpu_avx size=1 of run " + id +
                                              " cannot be read" + move_it);
  EXPECT_FALSE(*store->find_case("k1")) << "measured again";
  EXPECT_TRUE(*store->find_case("k0"));
}

TEST_F(Damage, NamesThatLeadElsewhere) {
  const std::string id = fill(1);
  for (const std::string change : {"lab = '../elsewhere'", "lab = '/elsewhere'", "id = '../../elsewhere'", "id = ''"}) {
    SCOPED_TRACE(change);
    ASSERT_TRUE(Database::open(file())->run_script("UPDATE runs SET id = '" + id + "', lab = 'lab5'"));
    ASSERT_TRUE(Database::open(file())->run_script("UPDATE runs SET " + change));
    auto store = Store::open(results());
    const std::string run = *store->resolve_run("latest");
    EXPECT_EQ(outcome(store->write_run_folder(results(), run)),
              file().string() + ": damaged: run " + run + " cannot be read" + move_it);
    EXPECT_FALSE(fs::exists(folder_.path() / "elsewhere"));
  }
}

TEST_F(Damage, ATextOfSqliteShowsNoControlCharacters) {
  EXPECT_EQ(sqlite_error("a", 11, 0, "unrecognized token: \"\x1b[2J\"").message,
            "a: unrecognized token: \"?[2J\"" + move_it);
}

TEST_F(Damage, AMessageShowsNoControlCharacters) {
  const std::string id = fill(1);
  ASSERT_TRUE(Database::open(file())->run_script("UPDATE runs SET id = 'a' || char(27) || '[2J', header = '{'"));
  auto store = Store::open(results());
  const std::string run = *store->resolve_run("latest");
  EXPECT_EQ(outcome(store->run_json(run)), file().string() + ": damaged: run a?[2J cannot be read" + move_it);
  EXPECT_EQ(outcome(store->run_json("b\x1b")), "no run \"b?\" in " + file().string());
}

TEST_F(Damage, RandomDamageIsAnErrorAndNeverACrash) {
  const std::string id = fill(60);
  const std::string good = *read_file(file());
  for (uint64_t round = 0; round < 150; ++round) {
    std::string bytes = good;
    for (uint64_t i = 0; i < 20; ++i)
      bytes[random_bits(round, 2 * i) % bytes.size()] = static_cast<char>(random_bits(round, 2 * i + 1));
    std::ofstream(file()) << bytes << std::flush;
    fs::remove(file().string() + "-wal");
    auto store = Store::open(results());
    if (!store) {
      EXPECT_TRUE(store.error().message.starts_with(file().string() + ": ")) << store.error().message;
      continue;
    }
    for (int i = 0; i < 60; ++i) (void)store->find_case("k" + std::to_string(i));
    (void)store->resolve_run("latest");
    (void)store->run_json(id);
  }
}

}  // namespace
}  // namespace harness
