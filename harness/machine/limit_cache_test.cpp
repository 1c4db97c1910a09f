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

TEST(LimitCache, GivesBackWhatAGpuHas) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "gpu_capacity.json";
  EXPECT_FALSE(read_capacity(path, "a"));
  ASSERT_TRUE(
      write_capacity(path, "a", {132, 32, 1024, 2048, 65536, 232448, 233472, 62914560, {2147483647, 65535, 65535}}));
  ASSERT_TRUE(write_capacity(path, "b", {}));
  const auto a = read_capacity(path, "a");
  ASSERT_TRUE(a);
  EXPECT_EQ(a->threads_per_block, 1024);
  EXPECT_EQ(a->l2_bytes, 62914560);
  EXPECT_EQ(a->grid, (std::vector<int64_t>{2147483647, 65535, 65535}));
  EXPECT_TRUE(read_capacity(path, "b"));
  EXPECT_FALSE(read_capacity(path, "c"));
  for (const char* gpu : {"7", "{}", R"({"multiprocessors":"many"})"}) {
    ASSERT_TRUE(write_file(path, std::string(R"({"schema":"harness/gpu_capacity/1","gpus":{"a":)") + gpu + "}}"));
    EXPECT_FALSE(read_capacity(path, "a")) << gpu;
  }
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
