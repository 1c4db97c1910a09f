// The config that everybody copies, and the schema that editors check it with.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/base/files.h"
#include "harness/config/config.h"
#include "harness/config/yaml.h"

namespace harness {
namespace {

const fs::path configs = fs::path(HARNESS_SOURCE_DIR) / "configs";

Config lab5() {
  auto config = load_config((configs / "lab5.yaml").string());
  EXPECT_TRUE(config) << config.error().message;
  return config ? *config : Config{};
}

TEST(Lab5, SweepsWhatTheReportSwept) {
  const Config config = lab5();
  EXPECT_EQ(config.kernel, "gemm");
  EXPECT_EQ(config.baseline, "cpu_baseline");
  ASSERT_EQ(config.sweeps.size(), 3u);
  EXPECT_EQ(config.sweeps[0].name, "cpu_sizes");
  EXPECT_EQ(config.sweeps[0].axes.at(0).points.size(), 5u) << "128, 256, 512, 1024, 2048";
  EXPECT_EQ(config.sweeps[1].axes.at(1).points.size(), 8u) << "8 to 1024";
  EXPECT_EQ(config.sweeps[2].exclude.at(0).variant, "gpu_naive");
}

TEST(Lab5, HasATableAndAPlotForEachOfTheReports) {
  const Config config = lab5();
  for (const char* sweep : {"cpu_sizes", "cpu_blocks", "gpu_blocks"})
    for (const char* part : {"tables", "plots"})
      EXPECT_TRUE(std::any_of(config.report->at(part).begin(), config.report->at(part).end(),
                              [&](const auto& entry) { return entry["sweep"] == sweep; }))
          << sweep << " has none of the " << part;
  EXPECT_GE(config.report->at("tables").size(), 5u);
  EXPECT_GE(config.report->at("plots").size(), 5u);
}

TEST(Lab5, PublishedColumnsAreInTheFiles) {
  const Config config = lab5();
  for (const Published& published : config.published) {
    const auto text = read_file(beside(config, published.file));
    ASSERT_TRUE(text) << text.error().message;
    const std::string columns = "," + text->substr(0, text->find('\n')) + ",";
    for (const auto& [column, axis] : published.axes)
      EXPECT_NE(columns.find("," + column + ","), std::string::npos) << published.file << ": " << column;
    for (const auto& [column, metric] : published.values)
      EXPECT_NE(columns.find("," + column + ","), std::string::npos) << published.file << ": " << column;
  }
}

TEST(ConfigSchema, TheFileInTheRepositoryIsTheGeneratedOne) {
  const auto file = read_file(configs / "config.schema.json");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_TRUE(*file == config_schema().dump(2) + "\n")
      << "the table of the parser has changed; run: bin/harness schema > configs/config.schema.json";
}

/// What the schema says about kinds and keys, or nothing: enough to see that schema and parser mean the same
/// file.
std::string mismatch(const Yaml& node, const nlohmann::json& schema, const std::string& path) {
  if (schema.contains("anyOf")) {
    std::string all;
    for (const auto& alternative : schema["anyOf"]) {
      const std::string wrong = mismatch(node, alternative, path);
      if (wrong.empty()) return "";
      all += wrong + "; ";
    }
    return all;
  }
  if (schema.contains("enum")) {
    const auto& words = schema["enum"];
    return std::find(words.begin(), words.end(), node.text) != words.end() ? "" : path + ": not in the enum";
  }
  const char* type = node.kind == Yaml::Kind::map ? "object" : node.kind == Yaml::Kind::list ? "array" : "";
  if (*type == 0 || schema["type"] != type)
    return *type != 0 || schema["type"] == "object" || schema["type"] == "array" ? path + ": another type" : "";
  std::string wrong;
  for (size_t i = 0; i < node.items.size() && wrong.empty(); ++i) {
    if (node.kind == Yaml::Kind::list) {
      wrong = mismatch(node.items[i], schema["items"], path + "[]");
      continue;
    }
    const std::string& key = node.keys[i].text;
    if (schema.contains("properties") && schema["properties"].contains(key))
      wrong = mismatch(node.items[i], schema["properties"][key], path + "." + key);
    else if (schema["additionalProperties"].is_object())
      wrong = mismatch(node.items[i], schema["additionalProperties"], path + "." + key);
    else
      wrong = path + ": unknown key " + key;
  }
  return wrong;
}

TEST(ConfigSchema, AcceptsLab5) {
  const auto text = read_file(configs / "lab5.yaml");
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->substr(0, text->find('\n')), "# yaml-language-server: $schema=config.schema.json");
  const auto tree = parse_yaml(*text, "lab5.yaml");
  ASSERT_TRUE(tree) << tree.error().message;
  const nlohmann::json schema = config_schema();
  EXPECT_EQ(mismatch(*tree, schema, ""), "");
  EXPECT_EQ(schema["$schema"], "http://json-schema.org/draft-07/schema#");
  const auto wrong = parse_yaml("lab: x\nsweeps: [{nam: x}]\n", "a.yaml");
  ASSERT_TRUE(wrong);
  EXPECT_EQ(mismatch(*wrong, schema, ""), ".sweeps[]: unknown key nam") << "the walk itself can fail";
}

}  // namespace
}  // namespace harness
