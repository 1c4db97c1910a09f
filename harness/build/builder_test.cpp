// Real compilers in the real sandbox.
#include "harness/build/builder.h"

#include <gtest/gtest.h>

#include "harness/base/files.h"

namespace harness {
namespace {

class BuilderTest : public testing::Test {
 protected:
  Result<BuildResult> build(const std::string& source, const Axes& macros = {}, std::vector<std::string> wanted = {},
                            double timeout_s = 120) {
    VariantInfo variant;
    variant.name = "mine";
    variant.file = (folder_.path() / "sub/mine.cpp").string();
    variant.needs = std::move(wanted);
    EXPECT_TRUE(make_folders(folder_.path() / "sub"));
    EXPECT_TRUE(write_file(variant.file, source));
    Builder builder({fs::path(HARNESS_SOURCE_DIR) / "labs", folder_.path(), folder_.path() / "cache",
                     fs::path(HARNESS_BUILD_DIR) / "harness-launcher", *find_sandbox("bwrap"), &machine_, "",
                     timeout_s});
    return builder.build(variant, macros, *find_toolchain("cpu"));
  }

  static constexpr const char* right =
      "#include \"lab/gemm.h\"\n#ifndef BLOCK\n#define BLOCK 8\n#endif\n"
      "LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { g.c[0] = BLOCK; }\n";
  // The cache is below /tmp, where the sandbox has a folder of its own: a place beside it.
  struct Folder {
    Folder() { EXPECT_TRUE(make_folders(path_)); }
    ~Folder() { fs::remove_all(path_); }
    const fs::path& path() const { return path_; }
    fs::path path_ = fs::path(HARNESS_BUILD_DIR) / ("builder_test." + std::to_string(getpid()));
  } folder_;
  Machine machine_ = inspect_machine();
};

TEST_F(BuilderTest, BuildsOnceForEachContent) {
  const auto first = build(right);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->state, BuildState::built) << first->log;
  EXPECT_TRUE(fs::exists(first->object));
  EXPECT_EQ(build(right)->state, BuildState::cached);
  const auto other = build(right, {{"BLOCK", int64_t{16}}});
  EXPECT_EQ(other->state, BuildState::built);
  EXPECT_NE(other->key, first->key);
  EXPECT_NE(other->command.find("-DBLOCK=16"), std::string::npos);
}

TEST_F(BuilderTest, WhateverIsIncludedCounts) {
  const std::string source = std::string("#include \"util/tile.inl\"\n") + right;
  ASSERT_TRUE(make_folders(folder_.path() / "sub/util"));
  ASSERT_TRUE(write_file(folder_.path() / "sub/util/tile.inl", "int one;\n"));
  const auto before = build(source);
  ASSERT_TRUE(before);
  EXPECT_EQ(before->state, BuildState::built) << before->log;
  ASSERT_TRUE(write_file(folder_.path() / "sub/util/tile.inl", "int two;\n"));
  EXPECT_NE(build(source)->key, before->key);
  // Another variant beside it is no part of it.
  ASSERT_TRUE(write_file(folder_.path() / "sub/other.cpp", "int other;\n"));
  EXPECT_EQ(build(source)->state, BuildState::cached);
}

TEST_F(BuilderTest, ACacheOfCompilersThatIsBrokenIsNotUsed) {
  if (find_tool(machine_, "ccache") == nullptr) GTEST_SKIP() << "no ccache here";
  ASSERT_TRUE(make_folders(folder_.path() / "cache/ccache"));
  ASSERT_TRUE(write_file(folder_.path() / "cache/ccache/ccache.conf", "no such setting\n"));
  const auto built = build(right);
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_EQ(built->state, BuildState::built) << built->log;
  EXPECT_EQ(built->log.find("ccache"), std::string::npos);
}

TEST_F(BuilderTest, ShowsTheStudentsLine) {
  const auto build_result = build("#include \"lab/gemm.h\"\nint f() { return foo; }\n");
  ASSERT_TRUE(build_result);
  EXPECT_EQ(build_result->state, BuildState::failed);
  EXPECT_EQ(build_result->error, "mine.cpp:2:18: error: 'foo' was not declared in this scope");
}

TEST_F(BuilderTest, StopsACompilerThatDoesNotEnd) {
  const auto endless = build(
      "template <int N> struct A { static constexpr int v = A<N - 1>::v + A<N - 2>::v * 0 + N; };\n"
      "constexpr long f(long n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\nconstexpr long x = f(60);\n",
      {}, {}, 0.5);
  ASSERT_TRUE(endless);
  EXPECT_EQ(endless->state, BuildState::failed);
}

TEST_F(BuilderTest, HidesTheHostFromTheCompiler) {
  const auto peek = build("#include \"/etc/passwd\"\n");
  ASSERT_TRUE(peek);
  EXPECT_EQ(peek->error, "mine.cpp:1:10: fatal error: /etc/passwd: No such file or directory");
}

TEST_F(BuilderTest, UnknownNeedSuggests) {
  const auto build_result = build(right, {}, {"avx"});
  ASSERT_FALSE(build_result);
  EXPECT_EQ(build_result.error().message,
            "unknown need \"avx\" in LAB_NEEDS (did you mean \"avx2\"?); there are avx2, fma, avx512f, openblas, "
            "threads, openmp, cublas, cudnn, wmma, wgmma");
}

}  // namespace
}  // namespace harness
