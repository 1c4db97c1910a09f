#include "harness/store/store.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include "harness/store/testing.h"

namespace harness {
namespace {

using testing::document;
using testing::full_case;
using testing::header;

class StoreTest : public testing::StoreFolder {
 protected:
  void SetUp() override { reopen(); }
  void reopen() {
    store_.reset();
    auto opened = Store::open(results());
    ASSERT_TRUE(opened) << opened.error().message;
    store_.emplace(*std::move(opened));
  }
  std::string begin(const std::string& lab = "lab5") {
    auto id = store_->begin_run(header(lab));
    EXPECT_TRUE(id) << id.error().message;
    return id ? *id : "";
  }

  std::optional<Store> store_;
};

TEST_F(StoreTest, GivesBackTheWholeRun) {
  const std::string id = begin();
  ASSERT_TRUE(store_->record_build(
      id, {"b1", "cpu_avx", {{"BLOCK", "16"}}, BuildState::built, 1.25, "g++", "g++ 12", "", "ab"}));
  ASSERT_TRUE(store_->record_case(id, full_case(1)));
  RunRecord more = header();
  more.metrics_info = {{MetricName::kernel_ms, {MetricName::kernel_ms, "kernel_ms", "kernel time", "ms"}}};
  more.statuses = {{Status::PASSED, false, "right"}};
  more.run.id = "mine";
  more.run.state = "complete";
  more.noise.before = std::make_shared<const nlohmann::json>(
      nlohmann::json{{"load", 0.5}, {"heat", std::numeric_limits<double>::infinity()}});
  ASSERT_TRUE(store_->update_run(id, more));
  reopen();
  auto json = document(*store_, id);
  const auto run = json["run"];
  EXPECT_EQ(json["schema"], "harness/run/2");
  EXPECT_EQ(run["id"], id);
  EXPECT_EQ(run["lab"], "lab5");
  EXPECT_EQ(run["title"], "Data-level parallelism");
  EXPECT_EQ(run["sandbox"], "bwrap");
  EXPECT_EQ(run["state"], "running");
  EXPECT_FALSE(run.contains("finished"));
  EXPECT_FALSE(run.contains("seconds"));
  EXPECT_EQ(json["baseline"], "cpu_baseline");
  EXPECT_EQ(json["metrics_info"]["kernel_ms"]["unit"], "ms");
  EXPECT_EQ(json["statuses"][0]["name"], "PASSED");
  EXPECT_EQ(json["builds"][0]["macros"]["BLOCK"], "16");
  ASSERT_EQ(json["cases"].size(), 1u);
  EXPECT_EQ(json["cases"][0].dump(), to_json(full_case(1)).dump());

  EXPECT_EQ(json["noise"].dump(), R"({"before":{"load":0.5}})");

  ASSERT_TRUE(store_->end_run(id, "complete"));
  json = document(*store_, id);
  EXPECT_EQ(json["run"]["state"], "complete");
  EXPECT_TRUE(json["run"].contains("finished"));
  EXPECT_LT(json["run"]["seconds"].get<double>(), 60);
}

TEST_F(StoreTest, OrdersCasesByThePlan) {
  const std::string id = begin();
  const std::pair<int, std::optional<int>> records[] = {{1, std::nullopt}, {2, 9}, {3, 2}, {4, std::nullopt}};
  for (const auto& [number, order] : records) {
    CaseRecord record = full_case(number);
    record.order = order;
    ASSERT_TRUE(store_->record_case(id, record));
  }
  const auto json = document(*store_, id);
  std::string sizes;
  for (const auto& record : json["cases"]) sizes += record["axes"]["size"].dump() + " ";
  EXPECT_EQ(sizes, "3 2 1 4 ");
}

TEST_F(StoreTest, RecordsACaseAndABuildAgain) {
  const std::string id = begin();
  CaseRecord record = full_case(1);
  ASSERT_TRUE(store_->record_case(id, record));
  ASSERT_TRUE(store_->record_build(id, {"b1", "cpu_avx", {}, BuildState::failed, 0, "", "", "", ""}));
  record.status = Status::CRASHED;
  record.samples_ms = {};
  record.rounds = {};
  ASSERT_TRUE(store_->record_case(id, record));
  ASSERT_TRUE(store_->record_build(id, {"b1", "cpu_avx", {}, BuildState::built, 1, "", "", "", ""}));
  const auto json = document(*store_, id);
  ASSERT_EQ(json["cases"].size(), 1u);
  EXPECT_EQ(json["cases"][0]["status"], "CRASHED");
  EXPECT_EQ(json["cases"][0]["samples_ms"].size(), 0u);
  ASSERT_EQ(json["builds"].size(), 1u);
  EXPECT_EQ(json["builds"][0]["state"], "built");
}

TEST_F(StoreTest, KeepsApartBuildsWithoutAKey) {
  const std::string id = begin();
  for (const char* block : {"8", "16"})
    ASSERT_TRUE(store_->record_build(
        id, {"", "cpu_avx", {{"BLOCK", block}}, BuildState::failed, 0, "", "", "unknown need", ""}));
  const auto json = document(*store_, id);
  ASSERT_EQ(json["builds"].size(), 2u);
  EXPECT_EQ(json["builds"][1]["macros"]["BLOCK"], "16");
}

TEST_F(StoreTest, FindsTheNewestFinishedCase) {
  EXPECT_FALSE(*store_->find_case("k1"));
  const std::string first = begin(), second = begin(), third = begin();
  CaseRecord record = full_case(1);
  record.flops = 1;
  ASSERT_TRUE(store_->record_case(first, record));
  record.flops = 2;
  ASSERT_TRUE(store_->record_case(second, record));
  for (const Status never : {Status::SKIPPED, Status::CANCELLED}) {
    record.status = never;
    ASSERT_TRUE(store_->record_case(third, record));
    const auto found = store_->find_case("k1");
    ASSERT_TRUE(found);
    ASSERT_TRUE(*found);
    EXPECT_EQ((*found)->flops, 2);
    EXPECT_EQ((*found)->reused_from, second);
    EXPECT_EQ((*found)->samples_ms, full_case().samples_ms);
    EXPECT_EQ((*found)->axes, record.axes);
  }
  EXPECT_FALSE(*store_->find_case("k2"));
}

TEST_F(StoreTest, NamesTheRunThatMeasuredAReusedCase) {
  const std::string first = begin(), second = begin();
  ASSERT_TRUE(store_->record_case(first, full_case(1)));
  ASSERT_TRUE(store_->record_case(second, **store_->find_case("k1")));
  EXPECT_EQ((*store_->find_case("k1"))->reused_from, first);
}

TEST_F(StoreTest, NeverFindsACaseWithoutARunKey) {
  CaseRecord record = full_case(1);
  record.run_key = "";
  ASSERT_TRUE(store_->record_case(begin(), record));
  EXPECT_FALSE(*store_->find_case(""));
}

TEST_F(StoreTest, KeepsOutputThatIsNotUtf8) {
  const std::string id = begin();
  CaseRecord record = full_case(1);
  record.reason = "said \xff\xfe";
  ASSERT_TRUE(store_->record_case(id, record));
  EXPECT_EQ(document(*store_, id)["cases"][0]["reason"], "said \xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST_F(StoreTest, RefusesWhatItCannotKeep) {
  EXPECT_EQ(store_->begin_run(header("../x")).error().message,
            "lab \"../x\" cannot name a folder: give it a short name of letters, digits, - and _");
  const std::string id = begin();
  EXPECT_FALSE(store_->end_run(id, "done"));
  for (const std::string& message :
       {store_->update_run("x", header()).error().message,
        store_->end_run("x", "complete").error().message,
        store_->record_case("x", full_case()).error().message, store_->record_build("x", {}).error().message,
        store_->run_json("x").error().message})
    EXPECT_EQ(message, "no run \"x\" in " + file().string());
  EXPECT_TRUE(store_->record_case(id, full_case())) << "an error leaves no transaction open";
}

TEST_F(StoreTest, ServesSeveralThreads) {
  const std::string id = begin();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 25; ++i) {
        EXPECT_TRUE(store_->record_case(id, full_case(t * 25 + i)));
        EXPECT_TRUE(store_->find_case("k0"));
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(document(*store_, id)["cases"].size(), 100u);
}

TEST_F(StoreTest, ResolvesWhatAPersonCallsARun) {
  EXPECT_EQ(
      store_->resolve_run("latest").error().message,
      "no run is kept in " + file().string() + " yet; make one with \"harness run configs/<lab>.yaml\"");
  const std::string first = begin("lab5"), second = begin("lab10"), third = begin("lab5");
  EXPECT_EQ(*store_->resolve_run(first), first);
  EXPECT_EQ(*store_->resolve_run("latest"), third);
  EXPECT_EQ(*store_->resolve_run("lab5"), third);
  EXPECT_EQ(*store_->resolve_run("lab10"), second);

  size_t common = 0;  // of second with either of the others
  for (const std::string& other : {first, third})
    common = std::max(
        common, size_t(std::mismatch(second.begin(), second.end(), other.begin()).first - second.begin()));
  EXPECT_EQ(*store_->resolve_run(second.substr(0, common + 1)), second);
  EXPECT_EQ(store_->resolve_run("2").error().message,
            "\"2\" fits 3 runs: " + third + ", " + second + ", " + first + "; give more of it");
  EXPECT_EQ(store_->resolve_run("lab55").error().message,
            "no run \"lab55\" in " + file().string() + " (did you mean \"lab5\"?)");
  for (const char* nothing : {"", "%", "zzzzzzzzzz"})
    EXPECT_EQ(store_->resolve_run(nothing).error().message,
              std::string("no run \"") + nothing + "\" in " + file().string() +
                  "; give a run id, the start of one, a lab, or \"latest\"");
  for (int i = 0; i < 4; ++i) begin();
  const std::string many = store_->resolve_run("2").error().message;
  EXPECT_TRUE(many.starts_with("\"2\" fits 7 runs: ") && many.ends_with(" and 2 more; give more of it"))
      << many;
}

}  // namespace
}  // namespace harness
