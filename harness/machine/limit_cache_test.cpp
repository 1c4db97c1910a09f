#include "harness/machine/limit_cache.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

TEST(LimitCache, GivesBackWhatWasWritten) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "state" / "machine_limits.json";
  EXPECT_FALSE(read_limits(path, "a"));
  ASSERT_TRUE(write_limits(path, "a", {{"fma_f32", "cpu", 2, 2.5e11, "AVX-512", false}}));
  ASSERT_TRUE(write_limits(path, "b", {{"copy", "cpu", 1, 3e10, ""}}));
  const auto a = read_limits(path, "a");
  ASSERT_TRUE(a);
  ASSERT_EQ(a->size(), 1u);
  EXPECT_EQ(a->front().name, "fma_f32");
  EXPECT_EQ(a->front().device, "cpu");
  EXPECT_EQ(a->front().threads, 2);
  EXPECT_EQ(a->front().value, 2.5e11);
  EXPECT_EQ(a->front().method, "AVX-512");
  EXPECT_FALSE(a->front().quiet);
  EXPECT_TRUE(read_limits(path, "b"));
  EXPECT_FALSE(read_limits(path, "c"));
}

TEST(LimitCache, ABrokenFileIsNoCache) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "machine_limits.json";
  for (
      const char* text :
      {"", "{", "[]", R"({"schema":"harness/limits/1","machines":7})",
       R"({"schema":"harness/limits/1","machines":{"a":[]}})",
       R"({"schema":"harness/limits/1","machines":{"a":[{"name":"fma_f32"}]}})",
       R"({"schema":"harness/limits/2","machines":{"a":[{"name":"x","device":"cpu","threads":1,"value":1,"method":""}]}})"}) {
    ASSERT_TRUE(write_file(path, text));
    EXPECT_FALSE(read_limits(path, "a")) << text;
  }
  ASSERT_TRUE(write_limits(path, "a", {{"copy", "cpu", 1, 1, ""}}));
  EXPECT_TRUE(read_limits(path, "a"));
}

}  // namespace
}  // namespace harness
