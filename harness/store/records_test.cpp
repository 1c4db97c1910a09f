#include "harness/store/records.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "harness/store/example_records.h"
#include "harness/store/json_text.h"
#include "harness/store/run_record.h"

namespace harness {
namespace {

using testing::full_case;

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(CaseRecord, ReadsBackToTheBit) {
  const CaseRecord before = full_case(1024);
  const std::string text = to_text(to_json(before));
  const auto after = case_from_json(*json_from_text(text));
  ASSERT_TRUE(after);
  EXPECT_EQ(to_text(to_json(*after)), text);
  EXPECT_EQ(after->axes, before.axes);  // order and type of each value
  EXPECT_EQ(after->parameters, before.parameters);
  EXPECT_EQ(after->samples_ms, before.samples_ms);
  EXPECT_EQ(after->rounds, before.rounds);
  EXPECT_EQ(after->check.deterministic, std::optional(false));
  EXPECT_EQ(after->metrics[0].second.median, 1.0 / 7);
  EXPECT_EQ(after->metrics[1].first, MetricName::speedup);
  EXPECT_EQ(after->metrics[1].second.over, "cpu_baseline");
  EXPECT_FALSE(after->metrics[2].second.low);
}

TEST(CaseRecord, KeepsTheTypeOfAxisValues) {
  const auto json = to_json(full_case(2));
  EXPECT_EQ(json["axes"].dump(), R"({"size":2,"BLOCK":16,"alpha":1.0,"PARTITION":"row"})");
  EXPECT_EQ(json["metrics"]["h2d_ms"].dump(), R"({"median":0.1})");
}

TEST(CaseRecord, NeverWritesNanOrInfinity) {
  CaseRecord r = full_case();
  r.flops = nan_value;
  r.check.lines[0].worst_ratio = infinity;
  r.metrics[0].second.low = -infinity;
  r.metrics[0].second.max = nan_value;
  r.metrics[1].second.median = nan_value;
  r.samples_ms = {1, nan_value, 3};
  r.rounds = {7, 8, 9};
  r.warmup_ms = {infinity};
  r.axes = {{"alpha", nan_value}};
  const auto json = to_json(r);
  EXPECT_FALSE(json.contains("flops"));
  EXPECT_FALSE(json["check"]["lines"][0].contains("worst_ratio"));
  EXPECT_EQ(json["metrics"]["kernel_ms"].dump(), R"({"median":0.14285714285714285,"n":12,"min":0.05})");
  EXPECT_FALSE(json["metrics"].contains("speedup"));
  EXPECT_EQ(json["samples_ms"].dump(), "[1.0,3.0]");
  EXPECT_EQ(json["rounds"].dump(), "[7,9]");
  EXPECT_EQ(json["warmup_ms"].dump(), "[]");
  EXPECT_EQ(json["axes"].dump(), "{}");

  // A number that was not measured is not read back as zero.
  const auto after = case_from_json(json);
  ASSERT_TRUE(after);
  EXPECT_TRUE(std::isnan(after->flops));
  EXPECT_TRUE(std::isnan(after->check.lines[0].worst_ratio));
}

TEST(CaseRecord, ThatDoesNotFitGivesNothing) {
  const auto good = to_json(full_case());
  ASSERT_TRUE(case_from_json(good));
  const std::pair<const char*, nlohmann::ordered_json> changes[] = {
      {"id", 5},
      {"status", "GREAT"},
      {"dtype", "f16"},
      {"axes", nlohmann::json::array({1})},
      {"threads", 1e300},
      {"threads", 5000000000},
      {"threads", true},
      {"metrics", "none"},
      {"metrics", {{"kernel_ms", {{"low", 1}}}}},
      {"metrics", {{"warps_occupied", {{"median", 1}, {"lanes", 0.5}}}}},
      {"samples_ms", {"x"}},
      {"check", nullptr},
      {"calls_per_sample", 18446744073709551615u},
      {"notes", {1}},
      {"notes", {{{"code", "unheard_of"}, {"arguments", nlohmann::json::object()}}}},
      {"notes", {{{"code", "few_samples"}, {"arguments", nlohmann::json::object()}}}},
      {"diagnostics", {{{"kind", "race_shared"}}}},
      {"axes", {{"size", nullptr}}}};
  for (const auto& [name, value] : changes) {
    auto json = good;
    json[name] = value;
    EXPECT_FALSE(case_from_json(json)) << name << " = " << value;
  }
  for (const auto& [name, value] : good.items()) {
    auto json = good;
    json.erase(name);
    const bool may_be_absent = name == "flops" || name == "bytes" || name == "diagnostics";
    EXPECT_EQ(case_from_json(json).has_value(), may_be_absent) << name;
  }
  EXPECT_FALSE(case_from_json(nullptr));
  EXPECT_FALSE(case_from_json(nlohmann::ordered_json::array()));
}

TEST(BuildRecord, WritesMacrosAsTheCompilerGetsThem) {
  const BuildRecord build{"b1",
                          "gpu_shared",
                          {{"TILE", "16"}, {"BLOCK", "8"}},
                          BuildState::failed,
                          nan_value,
                          "nvcc ...",
                          "nvcc 12",
                          "gpu_shared.cu:3: error",
                          "ab"};
  EXPECT_EQ(
      to_json(build).dump(),
      R"({"key":"b1","variant":"gpu_shared","macros":{"TILE":"16","BLOCK":"8"},"state":"failed",)"
      R"("command":"nvcc ...","compiler":"nvcc 12","log":"gpu_shared.cu:3: error","source_hash":"ab"})");
}

TEST(RunRecord, LeavesOutWhatIsNotKnown) {
  const auto json = to_json(testing::header());
  EXPECT_EQ(json["machine"]["cpu"].dump(), R"({"model":"x","cores":2,"features":["avx2"]})");
  EXPECT_FALSE(json["machine"].contains("virtualization"));
  EXPECT_FALSE(json["run"].contains("seconds"));
  EXPECT_FALSE(json.contains("container"));
  const auto after = run_from_json(json);
  ASSERT_TRUE(after);
  EXPECT_EQ(to_json(*after), json);
}

TEST(JsonText, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(to_text({{"log", "a\xff\nb"}}), "{\"log\":\"a\xEF\xBF\xBD\\nb\"}");
  EXPECT_FALSE(json_from_text("{\"a\":"));
}

TEST(JsonText, DropsWhatWasNotMeasured) {
  nlohmann::json json = {
      {"a", nan_value}, {"b", {{"c", infinity}, {"d", 1}}}, {"e", {1.5, nan_value}}, {"f", nullptr}};
  drop_unmeasured(json);
  EXPECT_EQ(json.dump(), R"({"b":{"d":1},"e":[1.5,null]})");
}

}  // namespace
}  // namespace harness
