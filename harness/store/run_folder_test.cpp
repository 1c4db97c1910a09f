#include <gtest/gtest.h>

#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/store/json_text.h"
#include "harness/store/store.h"
#include "harness/store/testing.h"

namespace harness {
namespace {

using testing::full_case;
using testing::header;
using testing::outcome;

class RunFolder : public testing::StoreFolder {
 protected:
  void SetUp() override {
    auto opened = Store::open(results());
    ASSERT_TRUE(opened) << opened.error().message;
    store_.emplace(*std::move(opened));
  }

  std::optional<Store> store_;
};

TEST_F(RunFolder, HoldsRunJsonALineEachPart) {
  const std::string id = *store_->begin_run(header());
  ASSERT_TRUE(store_->record_case(id, full_case(1)));
  ASSERT_TRUE(store_->record_case(id, full_case(2)));
  ASSERT_TRUE(store_->write_run_folder(results(), id));
  const auto text = read_file(results() / "lab5" / id / "run.json");
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, *store_->run_json(id));
  const std::vector<std::string> lines = split(std::string(trim(*text)), '\n');
  ASSERT_GT(lines.size(), 6u) << *text;
  EXPECT_EQ(lines[1], R"("schema": "harness/run/2",)");
  EXPECT_EQ(lines[lines.size() - 5], R"("cases": [)");
  EXPECT_EQ(lines[lines.size() - 3], to_text(to_json(full_case(2))));
}

TEST_F(RunFolder, PointsLatestAtTheNewest) {
  const std::string first = *store_->begin_run(header()), second = *store_->begin_run(header());
  const fs::path latest = results() / "lab5/latest";
  ASSERT_TRUE(store_->write_run_folder(results(), first));
  EXPECT_EQ(fs::read_symlink(latest), first);
  ASSERT_TRUE(store_->write_run_folder(results(), second));
  EXPECT_EQ(fs::read_symlink(latest), second);
  EXPECT_TRUE(fs::is_regular_file(latest / "run.json"));
  ASSERT_TRUE(store_->write_run_folder(results(), first)) << "rendered again";
  EXPECT_EQ(fs::read_symlink(latest), second);
  size_t entries = 0;
  for (const auto& entry : fs::directory_iterator(results() / "lab5")) entries += entry.exists();
  EXPECT_EQ(entries, 3u) << "two runs, a link, nothing left over";
}

TEST_F(RunFolder, ReplacesALinkToARunThatIsGone) {
  fs::create_directories(results() / "lab5");
  fs::create_symlink("20200101-000000-abcd", results() / "lab5/latest");
  const std::string id = *store_->begin_run(header());
  ASSERT_TRUE(store_->write_run_folder(results(), id));
  EXPECT_EQ(fs::read_symlink(results() / "lab5/latest"), id);
}

TEST_F(RunFolder, RefusesAFolderCalledLatest) {
  fs::create_directories(results() / "lab5/latest/kept");
  const std::string id = *store_->begin_run(header());
  EXPECT_EQ(outcome(store_->write_run_folder(results(), id)),
            (results() / "lab5/latest").string() +
                " is a folder and should be a link to the newest run; move it away");
  EXPECT_TRUE(fs::exists(results() / "lab5/latest/kept"));
}

TEST_F(RunFolder, NeedsARunThatIsThere) {
  EXPECT_EQ(outcome(store_->write_run_folder(results(), "x")),
            "no run \"x\" in " + (results() / "harness.sqlite").string());
}

}  // namespace
}  // namespace harness
