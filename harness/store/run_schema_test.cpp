// run.json against its JSON Schema, by the validator of the Python package jsonschema.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/store/json_text.h"
#include "harness/store/store.h"
#include "harness/store/testing.h"

namespace harness {
namespace {

const fs::path schema_file = fs::path(HARNESS_SOURCE_DIR) / "docs/run.schema.json";

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
    const std::string id = *store->begin_run(testing::header());
    CaseRecord skipped;
    skipped.id = "lab5/gpu/gpu_naive size=1";
    skipped.sweep = "gpu";
    skipped.variant = "gpu_naive";
    skipped.device = Device::gpu;
    skipped.status = Status::SKIPPED;
    skipped.reason = "no GPU was found on this machine";
    EXPECT_TRUE(store->record_build(
        id, {"b1", "cpu_avx", {{"BLOCK", "16"}}, BuildState::built, 1, "g++", "12", "", "ab"}));
    EXPECT_TRUE(store->record_case(id, testing::full_case(1)));
    EXPECT_TRUE(store->record_case(id, skipped));
    EXPECT_TRUE(store->end_run(id, "complete"));
    return testing::document(*store, id);
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

TEST_F(RunSchema, AcceptsTheRecordedExamples) {
  auto documents = nlohmann::ordered_json::array();
  for (const auto& example : fs::directory_iterator(fs::path(HARNESS_SOURCE_DIR) / "docs/examples"))
    if (const auto text = read_file(example.path() / "run.json")) documents.push_back(*json_from_text(*text));
  ASSERT_GT(documents.size(), 0u);
  EXPECT_EQ(violations(documents), std::vector<std::string>(documents.size(), "[]"));
}

TEST(RunSchemaFile, IsThatOfTheDescription) {
  const auto text = read_file(schema_file);
  ASSERT_TRUE(text);
  EXPECT_TRUE(*text == to_page(run_schema()) + "\n")
      << "the fields of run.json have changed; run: bin/harness schema --run > docs/run.schema.json && "
         ".venv/bin/python -m reports.generate";
}

}  // namespace
}  // namespace harness
