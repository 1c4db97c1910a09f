// What holds for every config in the repository.
#include <gtest/gtest.h>

#include "harness/base/files.h"
#include "harness/config/config.h"

namespace harness {
namespace {

std::vector<fs::path> configs() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(HARNESS_SOURCE_DIR) / "configs"))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  return files;
}

TEST(Configs, AreReadAndNameTheSchema) {
  ASSERT_GE(configs().size(), 2u);
  for (const fs::path& file : configs()) {
    const auto config = load_config(file.string());
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->lab, file.stem().string())
        << "the folder of results is found by the name of the config";
    const auto text = read_file(file);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_EQ(text->substr(0, text->find('\n')), "# yaml-language-server: $schema=config.schema.json")
        << file;
  }
}

TEST(Configs, PublishedColumnsAreInTheFiles) {
  for (const fs::path& file : configs()) {
    const auto config = load_config(file.string());
    ASSERT_TRUE(config) << config.error().message;
    for (const Published& published : config->published) {
      const auto text = read_file(fs::path(HARNESS_SOURCE_DIR) / published.file);
      ASSERT_TRUE(text) << text.error().message;
      const std::string columns = "," + text->substr(0, text->find('\n')) + ",";
      for (const auto& [column, axis] : published.axes)
        EXPECT_NE(columns.find("," + column + ","), std::string::npos) << published.file << ": " << column;
      for (const auto& [column, metric] : published.values)
        EXPECT_NE(columns.find("," + column + ","), std::string::npos) << published.file << ": " << column;
    }
  }
}

}  // namespace
}  // namespace harness
