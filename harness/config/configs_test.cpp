// What must hold for every lab of the repository, whoever adds one.
#include <gtest/gtest.h>

#include "harness/base/files.h"
#include "harness/config/config.h"

namespace harness {
namespace {

const fs::path root = HARNESS_SOURCE_DIR;

std::vector<Config> all_configs() {
  std::vector<Config> configs;
  for (const auto& entry : fs::directory_iterator(root / "configs")) {
    if (entry.path().extension() != ".yaml") continue;
    auto config = load_config(entry.path().string());
    EXPECT_TRUE(config) << config.error().message;
    if (!config) continue;
    EXPECT_EQ(config->lab, entry.path().stem()) << "results lie in a folder named after the lab";
    configs.push_back(*std::move(config));
  }
  return configs;
}

TEST(Configs, EveryFileLoadsAndNamesItsSchema) {
  ASSERT_GE(all_configs().size(), 4u);
  for (const Config& config : all_configs())
    EXPECT_EQ(config.text.substr(0, config.text.find('\n')), "# yaml-language-server: $schema=config.schema.json");
}

TEST(Configs, EverySweepIsShown) {
  for (const Config& config : all_configs())
    for (const Sweep& sweep : config.sweeps) {
      bool shown = false;
      for (const auto& table : config.report->at("tables")) shown = shown || table["sweep"] == sweep.name;
      EXPECT_TRUE(shown) << config.lab << ": no table shows the sweep " << sweep.name;
    }
}

TEST(Configs, PublishedColumnsAreInTheFiles) {
  for (const Config& config : all_configs())
    for (const Published& published : config.published) {
      const auto text = read_file(beside(config, published.file));
      ASSERT_TRUE(text) << text.error().message;
      const std::string columns = "," + text->substr(0, text->find('\n')) + ",";
      for (const auto& mapped : {published.axes, published.values})
        for (const auto& [column, name] : mapped)
          EXPECT_NE(columns.find("," + column + ","), std::string::npos)
              << config.lab << ": " << published.file << " has no column " << column;
    }
}

}  // namespace
}  // namespace harness
