// With a real compiler, and addr2line in the real sandbox.
#include "emulator/diagnostics/locate.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>

#include "harness/base/process.h"
#include "harness/base/text.h"

namespace harness {
namespace {

const fs::path source = "/home/x/labs/gemm/gpu_x.cu", lab = "/home/x/labs/lab";

SourcePositions parsed(const std::string& text) { return parse_addr2line(text, source, {lab}); }

TEST(Addr2line, TakesTheInnermostPlaceOfTheStudents) {
  const auto positions = parsed(
      "0x0000000000001234\nstd::max\n/usr/include/c++/12/algorithm:9\nlab::load\n/home/x/labs/lab/gpu.h:4\n"
      "gemm(float*)\n/home/x/labs/gemm/../gemm/gpu_x.cu:33 (discriminator "
      "2)\nouter\n/home/x/labs/gemm/gpu_x.cu:50\n"
      "0x0000000000001240\nf\n/home/x/labs/gemm/sub/tile.h:7\n"
      "0x0000000000001250\nf\n/elsewhere/other.h:8\n"
      "0x0000000000001260\n??\n??:0\n"
      "0x0000000000001270\nf\n/home/x/labs/gemm/gpu_x.cu:?\n");
  ASSERT_EQ(positions.size(), 3u);
  EXPECT_EQ(positions.at(0x1234).file, "gpu_x.cu");
  EXPECT_EQ(positions.at(0x1234).line, 33);
  EXPECT_EQ(positions.at(0x1240).file, "sub/tile.h");
  EXPECT_EQ(positions.at(0x1250).file, "other.h");
}

TEST(Addr2line, NonsenseHasNoPlaces) {
  for (const char* text : {"", "\n\n", "0x\n", "0xzz\nf\n/a/b.cu:1\n", "f\n/a/b.cu:1\n", "0x10\nf\n",
                           "0x10\nf\n:\n", "0x10\nf\n/a/b.cu:-1\n", "0x10\nf\n/a/b.cu:99999999999\n"})
    EXPECT_TRUE(parsed(text).empty()) << text;
}

TEST(Addr2line, FindsTheLineOfAnInstruction) {
  struct Folder {
    fs::path path = fs::path(HARNESS_BUILD_DIR) / ("locate_test." + std::to_string(getpid()));
    Folder() { EXPECT_TRUE(make_folders(path)); }
    ~Folder() { fs::remove_all(path); }
  } const folder;
  const fs::path file = folder.path / "gpu_x.cu", object = folder.path / "variant.so";
  const std::string line = "extern \"C\" int student(int a) { return a * 3; }";
  ASSERT_TRUE(write_file(file, "\n\n  " + line + "\n"));
  const auto built = run_process(
      {"g++", "-x", "c++", "-g1", "-O1", "-fPIC", "-shared", file.string(), "-o", object.string()});
  ASSERT_TRUE(built && built->exit == 0) << built->err;
  const auto symbols = run_process({"nm", "-D", object.string()});
  ASSERT_TRUE(symbols);
  uint64_t address = 0;
  for (const std::string& row : split(symbols->out, '\n'))
    if (row.find(" T student") != std::string::npos) std::sscanf(row.c_str(), "%lx", &address);
  ASSERT_NE(address, 0u) << symbols->out;
  const Locator locator{*find_sandbox("bwrap"), fs::path(HARNESS_BUILD_DIR) / "harness-launcher", {"/nowhere/labs/lab"},
                        object, file};
  const SourcePositions positions = locate(locator, {address, 0x7fffffff});
  ASSERT_EQ(positions.size(), 1u);
  EXPECT_EQ(positions.at(address).file, "gpu_x.cu");
  EXPECT_EQ(positions.at(address).line, 3);
  EXPECT_EQ(positions.at(address).text, line);
  // A file beside the student's is named but not read.
  const Locator foreign{locator.sandbox, locator.launcher, locator.ours, object, "/nowhere/else/gpu_y.cu"};
  EXPECT_EQ(locate(foreign, {address}).at(address).text, "");
}

}  // namespace
}  // namespace harness
