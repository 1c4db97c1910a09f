// run.json against its JSON Schema, by the validator of the Python package jsonschema.
#include <gtest/gtest.h>

#include "harness/base/process.h"
#include "harness/base/status.h"
#include "harness/base/text.h"
#include "harness/store/json_text.h"
#include "harness/store/store.h"
#include "harness/store/testing.h"

namespace harness {
namespace {

const fs::path schema_file = fs::path(HARNESS_SOURCE_DIR) / "harness/store/run.schema.json";

class RunSchema : public testing::StoreFolder {
 protected:
  void SetUp() override {
    const auto version = run_process({"python3", "-c", "import jsonschema"});
    if (!version || version->exit != 0) GTEST_SKIP() << "python3 has no package jsonschema here";
  }

  /// For each document where it breaks the schema, as JSON paths: "[]" if nowhere. One start of Python for
  /// all.
  std::vector<std::string> violations(const nlohmann::ordered_json& documents) {
    constexpr const char* program =
        "import json, sys, jsonschema\n"
        "schema, documents = (json.load(open(path)) for path in sys.argv[1:])\n"
        "jsonschema.Draft7Validator.check_schema(schema)\n"
        "validator = jsonschema.Draft7Validator(schema)\n"
        "for document in documents: print([error.json_path for error in validator.iter_errors(document)])\n";
    const fs::path file = folder_.path() / "documents.json";
    EXPECT_TRUE(write_file(file, to_text(documents)));
    const auto result = run_process({"python3", "-c", program, schema_file.string(), file.string()});
    return split(trim(result ? result->out + result->err : result.error().message), '\n');
  }

  /// Through the store, as a run makes it.
  nlohmann::ordered_json stored_run() {
    auto store = Store::open(results());
    const std::string id = *store->begin_run(
        {{"run",
          {{"lab", "lab5"},
           {"title", "Data-level parallelism"},
           {"harness", {{"version", "0.1.0"}, {"commit", "abc1234"}, {"dirty", false}}},
           {"command", {"run", "configs/lab5.yaml"}},
           {"sandbox", "bwrap"},
           {"config", {{"path", "configs/lab5.yaml"}, {"text", "lab: lab5"}}}}},
         {"kernel", {{"name", "gemm"}, {"formula", "C = A B"}, {"dtype", "f64"}}},
         {"machine",
          {{"cpu", {{"model", "x"}, {"cores", 2}, {"features", {"avx2"}}}},
           {"memory_bytes", 1024},
           {"os", "Debian"},
           {"kernel", "6.1"},
           {"gpus", nlohmann::json::array()},
           {"tools", {{{"name", "g++"}, {"version", "12"}, {"path", "/usr/bin/g++"}}}}}},
         {"policy",
          {{"precision", 0.005},
           {"max_time_s", 15},
           {"min_batch_ms", 1},
           {"min_samples", 10},
           {"max_samples", 2000},
           {"gpu_cache", "cold"}}},
         {"report", {{"tables", nlohmann::json::array()}, {"plots", nlohmann::json::array()}}}});
    CaseRecord skipped;
    skipped.id = "lab5/gpu/gpu_naive size=1";
    skipped.sweep = "gpu";
    skipped.variant = "gpu_naive";
    skipped.device = Device::gpu;
    skipped.status = Status::SKIPPED;
    skipped.reason = "no GPU was found on this machine";
    EXPECT_TRUE(store->record_build(
        id, {"b1", "cpu_avx", {{"BLOCK", int64_t{16}}}, BuildState::built, 1, "g++", "12", "", "ab"}));
    EXPECT_TRUE(store->record_case(id, testing::full_case(1)));
    EXPECT_TRUE(store->record_case(id, skipped));
    EXPECT_TRUE(store->end_run(id, "complete"));
    return *store->run_json(id);
  }
};

TEST_F(RunSchema, AcceptsWhatTheStoreWritesAndRejectsWhatTheRulesForbid) {
  const struct {
    const char* pointer;
    nlohmann::ordered_json value;
    const char* violations;
    const char* why;
  } changes[] = {
      {"/run/state", "complete", "[]", "nothing changed"},
      {"/runs", 1, "['$']", "no such part"},
      {"/run/state", "done", "['$.run.state']", "no such state"},
      {"/cases/0/status", "WRONG", "['$.cases[0].metrics']", "metrics of a wrong result"},
      {"/cases/1/status", "GREAT", "['$.cases[1].status']", "no such status"},
      {"/cases/0/axes/size", nullptr, "['$.cases[0].axes.size']", "an axis without a value"},
      {"/cases/0/metrics/kernel_ms/n", 5, "['$.cases[0].metrics.kernel_ms']", "an interval of 5 samples"},
      {"/cases/0/metrics/h2d_ms/low", 1, "['$.cases[0].metrics.h2d_ms']", "half an interval"},
      {"/cases/1/reason", "", "['$.cases[1].reason']", "skipped for no reason"},
      {"/builds/0/macros/BLOCK", 16, "['$.builds[0].macros.BLOCK']", "a macro is text"},
      {"/policy/gpu_cache", "warm", "['$.policy.gpu_cache']", "neither cold nor hot"},
  };
  const auto good = stored_run();
  nlohmann::ordered_json documents;
  for (const auto& change : changes) {
    documents.push_back(good);
    documents.back()[nlohmann::ordered_json::json_pointer(change.pointer)] = change.value;
  }
  const auto found = violations(documents);
  ASSERT_EQ(found.size(), std::size(changes)) << join(found, "\n");
  for (size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], changes[i].violations) << changes[i].why;
}

TEST_F(RunSchema, AcceptsTheExampleOfThePage) {
  const auto page = read_file(fs::path(HARNESS_SOURCE_DIR) / "docs/run-json.md");
  ASSERT_TRUE(page);
  const size_t begin = page->find("```json\n") + 8;
  auto example = json_from_text(page->substr(begin, page->find("```", begin) - begin));
  ASSERT_TRUE(example);
  // The page names all choices where a run has one of them.
  (*example)["run"]["state"] = "complete";
  (*example)["builds"][0]["state"] = "built";
  (*example)["cases"][0]["device"] = "cpu";
  EXPECT_EQ(violations(nlohmann::ordered_json::array({*example})), std::vector<std::string>{"[]"});
}

TEST(RunSchemaFile, KnowsEveryStatus) {
  const auto text = read_file(schema_file);
  ASSERT_TRUE(text);
  const auto schema = json_from_text(*text);
  ASSERT_TRUE(schema);
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  for (const StatusInfo& status : statuses) names.push_back(status.name);
  EXPECT_EQ((*schema)["definitions"]["status"]["enum"], names);
}

}  // namespace
}  // namespace harness
