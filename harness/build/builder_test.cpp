// Real compilers in the real sandbox.
#include "harness/build/builder.h"

#include <gtest/gtest.h>
#include <sys/mount.h>

#include <atomic>
#include <thread>

#include "harness/base/draft.h"
#include "harness/base/files.h"
#include "harness/base/process.h"

namespace harness {
namespace {

// With one step before those of the compiler.
class WithStep : public Toolchain {
 public:
  explicit WithStep(std::vector<std::string> step) : step_(std::move(step)) {}
  std::string name() const override { return "with step"; }
  bool gpu() const override { return false; }
  std::string compiler() const override { return "g++"; }
  std::optional<std::string> unable(const Machine&) const override { return std::nullopt; }
  Recipe recipe(const BuildInput& input, const Machine& machine) const override {
    Recipe recipe = find_toolchain("cpu")->recipe(input, machine);
    recipe.steps.insert(recipe.steps.begin(), step_);
    return recipe;
  }

 private:
  std::vector<std::string> step_;
};

class BuilderTest : public testing::Test {
 protected:
  Result<BuildResult> build(const std::string& source, const Axes& macros = {}, std::vector<std::string> wanted = {},
                            double timeout_s = 120, const std::string& sandbox = "bwrap",
                            const Toolchain& toolchain = *find_toolchain("cpu")) {
    VariantInfo variant;
    variant.name = "mine";
    variant.file = (folder_.path() / "sub/mine.cpp").string();
    variant.needs = std::move(wanted);
    EXPECT_TRUE(make_folders(folder_.path() / "sub") && make_folders(folder_.path() / "own"));
    EXPECT_TRUE(write_file(variant.file, source));
    Builder builder({fs::path(HARNESS_SOURCE_DIR) / "labs", folder_.path() / "own", folder_.path() / "cache",
                     fs::path(HARNESS_BUILD_DIR) / "harness-launcher", *find_sandbox(sandbox), &machine_, "",
                     timeout_s});
    return builder.build(variant, macros, toolchain);
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

TEST_F(BuilderTest, HiddenHeadersAndComposedNamesCount) {
  const std::string source = std::string(
                                 "#include \".tile.impl.h\"\n#define NAME(x) #x\n#define BESIDE(x) NAME(x.cpp)\n"
                                 "#include BESIDE(other)\n") +
                             right;
  for (const char* name : {".tile.impl.h", "other.cpp"}) {
    ASSERT_TRUE(make_folders(folder_.path() / "sub"));
    ASSERT_TRUE(write_file(folder_.path() / "sub/.tile.impl.h", "int one;\n"));
    ASSERT_TRUE(write_file(folder_.path() / "sub/other.cpp", "int other;\n"));
    const auto before = build(source);
    ASSERT_TRUE(before);
    ASSERT_NE(before->state, BuildState::failed) << before->log;
    ASSERT_TRUE(write_file(folder_.path() / "sub" / name, "int changed;\n"));
    const auto after = build(source);
    EXPECT_EQ(after->state, BuildState::built);
    EXPECT_NE(after->key, before->key) << name;
    ASSERT_TRUE(write_file(folder_.path() / "sub" / name, name[0] == '.' ? "int one;\n" : "int other;\n"));
    EXPECT_EQ(build(source)->key, before->key);
  }
}

TEST_F(BuilderTest, AFileThatAppearsCounts) {
  for (const std::string name : {"part.h", "part.cpp"}) {
    const std::string source = fmt::format("#if __has_include(\"{0}\")\n#include \"{0}\"\n#endif\n", name) + right;
    const auto before = build(source);
    ASSERT_TRUE(before);
    EXPECT_EQ(before->state, BuildState::built) << before->log;
    ASSERT_TRUE(write_file(folder_.path() / "sub" / name, "int part;\n"));
    const auto after = build(source);
    EXPECT_EQ(after->state, BuildState::built) << name;
    EXPECT_NE(after->key, before->key);
  }
}

TEST_F(BuilderTest, AFileThatAHeaderAsksForCounts) {
  const fs::path sub = folder_.path() / "sub";
  ASSERT_TRUE(make_folders(sub));
  const std::vector<std::string> ways = {"__has_include", "__has_inc\\\nlude", "__h\\ \nas_include", {"__h\\\0\nas_include", 16}, "HAVE"};
  for (const std::string& asks : ways) {
    const std::string have = asks == "HAVE" ? "#define CAT(a, b) a##b\n#define HAVE CAT(__h, as_include)\n" : "";
    ASSERT_TRUE(write_file(sub / "asks.h", have + "#if " + asks + "(\"other.cpp\")\nint other;\n#endif\n"));
    const std::string source = std::string("#include \"asks.h\"\n") + right;
    const auto before = build(source);
    ASSERT_TRUE(before);
    EXPECT_EQ(before->state, BuildState::built) << before->log;
    ASSERT_TRUE(write_file(sub / "other.cpp", "int other;\n"));
    EXPECT_NE(build(source)->key, before->key) << asks;
    fs::remove(sub / "other.cpp");
  }
}

TEST_F(BuilderTest, ALinkThatLeadsElsewhereCounts) {
  const fs::path sub = folder_.path() / "sub";
  for (const char* name : {"a", "b"}) {
    ASSERT_TRUE(make_folders(sub / name));
    ASSERT_TRUE(write_file(sub / name / "part.h", fmt::format("int {};\n", name)));
  }
  const std::string source = std::string("#include \"link/part.h\"\n") + right;
  fs::create_directory_symlink("a", sub / "link");
  const auto before = build(source);
  ASSERT_TRUE(before);
  EXPECT_EQ(before->state, BuildState::built) << before->log;
  fs::remove(sub / "link");
  fs::create_directory_symlink("b", sub / "link");
  const auto after = build(source);
  EXPECT_EQ(after->state, BuildState::built);
  EXPECT_NE(after->key, before->key);
}

TEST_F(BuilderTest, WhatTheAssemblerReadsCounts) {
  const std::string data = (folder_.path() / "sub/data.bin").string();
  const std::string source =
      std::string(right) + "asm(\".section .rodata\\n.inc\" \"bin \\\"" + data + "\\\"\\n.previous\");\n";
  ASSERT_TRUE(make_folders(folder_.path() / "sub"));
  ASSERT_TRUE(write_file(data, "1"));
  const auto before = build(source);
  ASSERT_TRUE(before);
  EXPECT_EQ(before->state, BuildState::built) << before->log;
  ASSERT_TRUE(write_file(data, "2"));
  const auto after = build(source);
  EXPECT_EQ(after->state, BuildState::built);
  EXPECT_NE(after->key, before->key);
}

TEST_F(BuilderTest, CodeForThisCpuIsNotThatOfAnother) {
  const WithStep native({"/bin/echo", "-march=native"}), usual({"/bin/echo", "-march=x86-64"});
  const auto with = [&](const Toolchain& toolchain) { return build(right, {}, {}, 120, "bwrap", toolchain); };
  const auto one = with(native), all = with(usual);
  ASSERT_TRUE(one && all);
  machine_.cpu.features.push_back("another");
  EXPECT_NE(with(native)->key, one->key);
  EXPECT_EQ(with(usual)->key, all->key);
}

TEST_F(BuilderTest, AddressesInCodeAreRefused) {
  const auto table = build(std::string(right) + "asm(\".text\\n.quad table\\n.data\\ntable: .long 1\\n.text\");\n");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->state, BuildState::failed);
  EXPECT_NE(table->log.find("relocation"), std::string::npos) << table->log;
}

// A sandbox hides them from the compiler; without one only its list shows them.
TEST_F(BuilderTest, RefusesFilesOfOthers) {
  ASSERT_TRUE(write_file(folder_.path() / "theirs.h", "int theirs;\n"));
  const auto outside = build(std::string("#include \"../theirs.h\"\n") + right, {}, {}, 120, "none");
  ASSERT_TRUE(outside);
  EXPECT_EQ(outside->state, BuildState::failed);
  const std::string named = (folder_.path() / "sub/../theirs.h").string();
  EXPECT_EQ(outside->error, "mine.cpp reads \"" + named +
                                "\", which is outside the submission, lab/ and the system's headers; copy it beside the source");
  for (const std::string file : {"/etc/ld.so.conf", "/usr/bin/env"}) {
    const auto assembled = build(std::string(right) + "asm(\".incbin \\\"" + file + "\\\"\");\n", {}, {}, 120, "none");
    ASSERT_TRUE(assembled);
    EXPECT_EQ(assembled->error, "mine.cpp reads \"" + file +
                                    "\", which is outside the submission, lab/ and the system's headers; copy it "
                                    "beside the source");
  }
}

TEST_F(BuilderTest, AChangeWhileItIsCompiled) {
  ASSERT_TRUE(make_folders(folder_.path() / "sub"));
  std::atomic<bool> done{false};
  std::thread editor([&] {
    for (int i = 0; !done; ++i)
      (void)write_file(folder_.path() / "sub/tile.h", "int tile = " + std::to_string(i) + ";\n");
  });
  while (!fs::exists(folder_.path() / "sub/tile.h")) std::this_thread::yield();
  const auto built = build(std::string("#include \"tile.h\"\n") + right);
  done = true;
  editor.join();
  ASSERT_TRUE(built);
  EXPECT_EQ(built->error, "tile.h changed while it was compiled; run again");
}

TEST_F(BuilderTest, ACacheOfCompilersThatIsBrokenIsNotUsed) {
  if (find_tool(machine_, "ccache") == nullptr) GTEST_SKIP() << "no ccache here";
  ASSERT_TRUE(make_folders(folder_.path() / "cache/ccache"));
  ASSERT_TRUE(write_file(folder_.path() / "cache/ccache/ccache.conf", "no such setting\n"));
  const fs::path glue = folder_.path() / "own/glue.cpp";
  ASSERT_TRUE(make_folders(glue.parent_path()) && write_file(glue, "int f() { return 1; }\n"));
  const WithStep with_ccache({find_tool(machine_, "ccache")->path, "g++", "-c", glue.string(), "-o", "glue.o"});
  const auto built = build(right, {}, {}, 120, "bwrap", with_ccache);
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_EQ(built->state, BuildState::built) << built->log;
  EXPECT_EQ(built->log.find("ccache"), std::string::npos);
}

// All builds share it. A compiler that a source has taken over could leave there what later builds use.
TEST_F(BuilderTest, AStepThatReadsASubmissionDoesNotSeeTheCacheOfCompilers) {
  const WithStep writes({"/bin/sh", "-c", "if touch $CCACHE_DIR/mine; then echo \"error: written\"; exit 1; fi"});
  const auto built = build(right, {}, {}, 120, "bwrap", writes);
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_EQ(built->error, "");
  EXPECT_FALSE(fs::exists(folder_.path() / "cache/ccache/mine"));
}

TEST_F(BuilderTest, OnlySomeSignalsMayMeanThatMemoryIsShort) {
  for (const auto& [signal, error] : {std::pair("SEGV", "the compiler was ended by signal 11"), std::pair("KILL", "the compiler was ended by signal 9: out of memory?")}) {
    const auto built = build(right, {}, {}, 120, "bwrap", WithStep({"/bin/sh", "-c", std::string("kill -") + signal + " $$"}));
    ASSERT_TRUE(built) << built.error().message;
    EXPECT_EQ(built->error, error);
  }
}

// The harness would write its log, or read a list of files, where the link points to.
TEST_F(BuilderTest, ALinkThatTheCompilerLeftIsNotFollowed) {
  const fs::path victim = folder_.path() / "victim";
  ASSERT_TRUE(write_file(victim, "precious"));
  const WithStep links({"/bin/sh", "-c",
                        "for i in $(seq 99); do ln -s " + victim.string() + " .compiler.log.$i." +
                            draft_ending().substr(1) + "; done; ln -s " + victim.string() + " other.d"});
  const auto built = build(right, {}, {}, 120, "bwrap", links);
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_EQ(built->state, BuildState::failed);
  EXPECT_NE(built->error.find("which is no file"), std::string::npos) << built->error;
  EXPECT_EQ(*read_file(victim), "precious");
}

TEST_F(BuilderTest, AFullDiskIsNotTheStudentsError) {
  ASSERT_TRUE(make_folders(folder_.path() / "cache"));
  const std::string cache = (folder_.path() / "cache").string();
  if (mount("tmpfs", cache.c_str(), "tmpfs", 0, "size=32m") != 0) GTEST_SKIP() << "may not mount a small disk";
  const auto built = build("int f() { return foo; }\n");
  umount(cache.c_str());
  ASSERT_FALSE(built);
  EXPECT_NE(built.error().message.find("the disk is nearly full; free some space and run again: finished cases are kept"),
            std::string::npos);
  EXPECT_EQ(built.error().exit, ExitCode::machine);
}

// One line of source would take that much of the cache for good.
TEST_F(BuilderTest, AnObjectOf100MBIsRefusedAndObjectsAreNotKept) {
  const auto large = build(std::string(right) + "int big[25'000'000] = {1};\n");
  ASSERT_TRUE(large);
  EXPECT_EQ(large->state, BuildState::failed);
  const auto built = build(right);
  ASSERT_TRUE(built);
  EXPECT_FALSE(fs::exists(fs::path(built->object).parent_path() / "variant.o"));
}

// It would hold other code than the header beside it, and g++ would not list it.
TEST_F(BuilderTest, APrecompiledHeaderIsNotUsed) {
  ASSERT_TRUE(make_folders(folder_.path() / "sub"));
  const fs::path header = folder_.path() / "sub/tile.h";
  ASSERT_TRUE(write_file(header, "#error this is not compiled\n"));
  ASSERT_TRUE(write_file(folder_.path() / "other.h", "inline int tile() { return 1; }\n"));
  const auto made = run_process({"g++", "-std=c++20", "-O3", "-g1", "-fPIC", "-fvisibility=hidden", "-x", "c++-header",
                                 (folder_.path() / "other.h").string(), "-o", header.string() + ".gch"},
                                {.timeout_s = 60});
  ASSERT_TRUE(made && made->exit == 0);
  const auto built = build(std::string("#include \"tile.h\"\n") + right);
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_EQ(built->error, "tile.h:1:2: error: #error this is not compiled");
}

TEST_F(BuilderTest, ABuildDoesNotDependOnItsDate) {
  const auto built = build(std::string(right) + "static_assert(__DATE__[10] == '0' && __TIME__[0] == '0');\n");
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_EQ(built->error, "");
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

TEST_F(BuilderTest, NeedsHaveNoQuotes) {
  const auto quoted = build(right, {}, {"\"    \""});  // comments and texts are blanks by then
  ASSERT_FALSE(quoted);
  EXPECT_EQ(quoted.error().message, "LAB_NEEDS takes words without quotes, for example LAB_NEEDS(avx2);");
}

TEST_F(BuilderTest, UnknownNeedSuggests) {
  const auto build_result = build(right, {}, {"avx"});
  ASSERT_FALSE(build_result);
  EXPECT_EQ(build_result.error().message,
            "unknown need \"avx\" in LAB_NEEDS (did you mean \"avx2\"?); there are avx2, fma, avx512f, openblas, "
            "blis, onednn, threads, openmp, cublas, cudnn, wmma, wgmma");
}

}  // namespace
}  // namespace harness
