#include <gtest/gtest.h>

#include "harness/base/hash.h"
#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/store/read_run.h"
#include "harness/store/sources.h"
#include "harness/store/sqlite.h"
#include "harness/store/testing.h"

namespace harness {
namespace {

class ListRuns : public testing::StoreFolder {};

TEST_F(ListRuns, NewestFirstWithVerdictsByFrequency) {
  auto store = Store::open(results());
  const std::string first = *store->begin_run(testing::header("lab5"));
  for (int i = 0; i < 3; ++i) {
    CaseRecord record = testing::full_case(i);
    record.status = i == 1 ? Status::WRONG : Status::PASSED;
    ASSERT_TRUE(store->record_case(first, record));
  }
  ASSERT_TRUE(store->end_run(first, "complete"));
  RunRecord header = testing::header("hw6");
  header.machine.gpus = {{.name = "NVIDIA H200"}};
  const std::string second = *store->begin_run(header);

  const auto rows = store->runs();
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 2u);
  const RunRow &newer = (*rows)[0], &older = (*rows)[1];
  EXPECT_EQ(newer.id, second);
  EXPECT_EQ(newer.machine, "x, 2 cores; NVIDIA H200");
  EXPECT_EQ(newer.state, "running");
  EXPECT_EQ(newer.cases(), 0);
  EXPECT_EQ(older.id, first);
  EXPECT_EQ(older.lab, "lab5");
  EXPECT_EQ(older.machine, "x, 2 cores");
  const std::vector<std::pair<std::string, int64_t>> verdicts = {{"PASSED", 2}, {"WRONG", 1}};
  EXPECT_EQ(older.verdicts, verdicts);
  EXPECT_GT(older.bytes, newer.bytes);
}

TEST_F(ListRuns, ADamagedRecordLeavesTheRestReadable) {
  auto store = Store::open(results());
  ASSERT_TRUE(store->begin_run(testing::header()));
  auto database = Database::open(file());
  ASSERT_TRUE(database->execute("UPDATE runs SET header = '{'"));
  const auto rows = store->runs();
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->front().machine, "");
}

TEST_F(ListRuns, ASourceIsFoundByItsHash) {
  const fs::path run = results() / "lab5/20261122-070750-e592", root = folder_.path() / "root";
  const auto hash = keep_source(results(), "int x;\n");
  ASSERT_TRUE(hash);
  EXPECT_EQ(*hash, sha256("int x;\n"));
  ASSERT_TRUE(make_folders(run));
  ASSERT_TRUE(make_folders(root / "labs"));
  EXPECT_EQ(find_source({"labs/a.cpp", *hash, "a"}, run, root, ""), "int x;\n");
  ASSERT_TRUE(write_file(root / "labs/b.cpp", "int y;\n"));
  EXPECT_EQ(find_source({"labs/b.cpp", sha256("int y;\n"), "b"}, run, root, ""), "int y;\n");
  EXPECT_EQ(find_source({"labs/b.cpp", sha256("another"), "b"}, run, root, ""), std::nullopt);
  // A kept text that was changed is no longer what the hash names.
  ASSERT_TRUE(write_file(results() / "sources" / *hash, "int z;\n"));
  EXPECT_EQ(find_source({"labs/a.cpp", *hash, "a"}, run, root, ""), std::nullopt);
}

TEST_F(ListRuns, ASourceThatChangedIsFoundInTheCommitOfTheRun) {
  const fs::path root = folder_.path() / "project", run = results() / "lab5/20261122-070750-e592";
  const auto git = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {find_program("git"), "-C", root.string(), "-c", "user.name=x", "-c", "user.email=x"});
    const auto ran = run_process(words);
    EXPECT_TRUE(ran && ran->exit == 0);
    return ran ? std::string(trim(ran->out)) : "";
  };
  ASSERT_TRUE(make_folders(root));
  ASSERT_TRUE(write_file(root / "a.cpp", "int x;\n"));
  git({"init", "-q"});
  git({"add", "a.cpp"});
  git({"commit", "-qm", "x"});
  const std::string commit = git({"rev-parse", "HEAD"});
  ASSERT_TRUE(write_file(root / "a.cpp", "int y;\n"));
  const SourceFile source{"a.cpp", sha256("int x;\n"), "a"};
  EXPECT_EQ(find_source(source, run, root, commit), "int x;\n");
  for (const std::string other : {"", "HEAD", "0123456789abcdef", "--help"})
    EXPECT_EQ(find_source(source, run, root, other), std::nullopt) << other;
  EXPECT_EQ(find_source({"b.cpp", source.hash, "a"}, run, root, commit), std::nullopt);
}

TEST_F(ListRuns, ARunFromElsewhereSaysWhatIsWrongWithIt) {
  const fs::path run = folder_.path() / "run";
  ASSERT_TRUE(make_folders(run));
  const auto reading = [&](const std::string& text) {
    EXPECT_TRUE(write_file(run / "run.json", text));
    const auto record = read_run(run);
    return record ? "ok" : record.error().message.substr((run / "run.json").string().size());
  };
  const std::string not_json =
      ": not JSON; \"harness report ID\", with the run's id in place of its folder, writes the file again from the store";
  EXPECT_EQ(reading("{"), ":1:2" + not_json) << "its end";
  EXPECT_EQ(reading("{\"a\": 1,\n \"b\": x}"), ":2:7" + not_json);
  EXPECT_EQ(reading("{\"a\": 1e999}"), not_json) << "a number that is too large has no position";
  EXPECT_EQ(reading("[]"), not_json);
  EXPECT_EQ(reading(R"({"schema": "harness/run/9"})"),
            ": schema is \"harness/run/9\" but must be \"harness/run/2\"; use the harness that wrote the run");
  EXPECT_EQ(reading(R"({"schema": "harness/run/2"})"),
            ": damaged: it is not a run as docs/run.schema.json describes it");
  auto store = Store::open(results());
  const std::string id = *store->begin_run(testing::header());
  EXPECT_EQ(reading(*store->run_json(id)), "ok");
}

}  // namespace
}  // namespace harness
