#include "harness/machine/tools.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace harness {
namespace {

TEST(VersionLine, IsTheOneWithTheNumber) {
  EXPECT_EQ(version_line(
                "g++ (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright (C) 2022 Free Software Foundation, Inc.\n"),
            "g++ (Debian 12.2.0-14+deb12u1) 12.2.0");
  EXPECT_EQ(version_line("nvcc: NVIDIA (R) Cuda compiler driver\n"
                         "Copyright (c) 2005-2025 NVIDIA Corporation\n"
                         "Built on Wed_Aug_20_01:58:59_PM_PDT_2025\n"
                         "Cuda compilation tools, release 13.0, V13.0.88\n"
                         "Build cuda_13.0.r13.0/compiler.36424714_0\n"),
            "Cuda compilation tools, release 13.0, V13.0.88");
  EXPECT_EQ(version_line("HIP version: 5.2.21153-0\nclang version 15.0.7\n"), "HIP version: 5.2.21153-0");
  EXPECT_EQ(version_line("sbatch: fatal: Could not establish a configuration source\n"), "");
  EXPECT_EQ(version_line(""), "");
}

const Tool* find(const std::vector<Tool>& tools, const std::string& name) {
  const auto it = std::find_if(tools.begin(), tools.end(), [&](const Tool& t) { return t.name == name; });
  return it == tools.end() ? nullptr : &*it;
}

TEST(Tools, FindsTheCompilerThatBuiltThis) {
  const auto tools = find_tools();
  const Tool* gcc = find(tools, "g++");
  ASSERT_NE(gcc, nullptr);
  EXPECT_EQ(gcc->path.front(), '/');
  EXPECT_NE(gcc->version.find('.'), std::string::npos);
}

TEST(Tools, TheCacheAnswersForAnUnchangedProgram) {
  TemporaryFolder folder;
  const fs::path cache = folder.path() / "state" / "tools.json";
  const auto first = find_tools(cache);
  auto text = read_file(cache);
  ASSERT_TRUE(text);
  // Another version under the right stamp shows that the cache was asked and not the program.
  const std::string real = find(first, "g++")->version;
  const size_t at = text->find(real);
  ASSERT_NE(at, std::string::npos);
  text->replace(at, real.size(), "from the cache");
  ASSERT_TRUE(write_file(cache, *text));
  EXPECT_EQ(find(find_tools(cache), "g++")->version, "from the cache");

  // Under another stamp it is asked again.
  for (size_t stamp = text->find("\"stamp\": \""); stamp != std::string::npos;
       stamp = text->find("\"stamp\": \"", stamp + 1))
    text->insert(stamp + 10, "0");
  ASSERT_TRUE(write_file(cache, *text));
  EXPECT_EQ(find(find_tools(cache), "g++")->version, real);
}

TEST(Tools, ABrokenCacheIsNoCache) {
  TemporaryFolder folder;
  for (const char* text : {"", "{", "[]", "{\"schema\":7}", R"({"schema":"harness/tools/1","tools":[]})",
                           R"({"schema":"harness/tools/1","tools":{"/usr/bin/g++":3}})"}) {
    ASSERT_TRUE(write_file(folder.path() / "tools.json", text));
    EXPECT_NE(find(find_tools(folder.path() / "tools.json"), "g++")->version, "") << text;
  }
}

}  // namespace
}  // namespace harness
