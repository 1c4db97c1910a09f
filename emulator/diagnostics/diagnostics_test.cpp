#include "emulator/diagnostics/diagnostics.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <set>

namespace harness {
namespace {

lab_diagnostic seen(lab_diagnostic_kind kind) {
  lab_diagnostic f = {};
  f.kind = kind;
  std::snprintf(f.kernel, sizeof f.kernel, "gemm<16>");
  f.bytes = 4;
  f.origin = {0x100, {0, 0, 0}, {1, 0, 0}, lab_access_read, 0};
  f.other = {0x200, {2, 1, 0}, {0, 3, 0}, lab_access_write, 0};
  f.count = 10;
  f.offset = 1024;
  f.extent = 1024;
  f.have = 160;
  f.ideal = 40;
  return f;
}

const SourcePositions positions = {{0x100, {"gpu_x.cu", 33, "sum += a[i];"}}, {0x200, {"gpu_x.cu", 31, "a[i] = 0;"}}};

Diagnostic one(const lab_diagnostic& f, const SourcePositions& known = positions) {
  const auto all = explain({f}, known);
  return all.size() == 1 ? all[0] : Diagnostic{};
}

TEST(Diagnostics, TheTableHasEveryKindOnce) {
  std::set<std::string_view> names;
  size_t mistakes = 0;
  for (const DiagnosticKind& kind : diagnostic_kinds()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    EXPECT_EQ(find_diagnostic_kind(static_cast<uint32_t>(kind.id)), &kind);
    EXPECT_EQ(find_diagnostic_kind(kind.name), &kind);
    EXPECT_EQ(kind.severity == Severity::advice, kind.id >= lab_first_advice) << kind.name;
    EXPECT_FALSE(kind.severity == Severity::advice && kind.status) << kind.name;
    EXPECT_TRUE(!kind.status || info(*kind.status).fails) << kind.name;
    mistakes += kind.severity == Severity::mistake;
  }
  EXPECT_EQ(mistakes, static_cast<size_t>(lab_after_mistakes - 1));
  EXPECT_EQ(names.size() - mistakes, static_cast<size_t>(lab_after_advice - lab_first_advice));
}

TEST(Diagnostics, EverySentenceIsFilledIn) {
  for (const DiagnosticKind& kind : diagnostic_kinds())
    for (const SourcePositions& known : {positions, SourcePositions{}}) {
      const Diagnostic f = one(seen(kind.id), known);
      EXPECT_FALSE(f.what.empty() || f.fix.empty()) << kind.name;
      EXPECT_EQ((f.what + f.fix).find_first_of("{}"), std::string::npos) << f.what;
      EXPECT_EQ(f.what.find("  "), std::string::npos) << f.what;
    }
}

TEST(Diagnostics, NamesTheElementOfAMatrix) {
  const NamedBuffers buffers = {{"A", 16, 16, 16, 4}, {"B", 10, 20, 24, 4}};
  lab_diagnostic f = seen(lab_out_of_bounds);
  f.buffer = 1;
  EXPECT_EQ(explain({f}, positions, buffers).at(0).what,
            "thread (1,0) of block (0,0) reads 4 bytes at gpu_x.cu:33, at A[16][0], and A has 16 x 16 elements");
  f.buffer = 2;
  f.offset = (3 * 24 + 21) * 4;
  EXPECT_EQ(explain({f}, positions, buffers).at(0).what,
            "thread (1,0) of block (0,0) reads 4 bytes at gpu_x.cu:33, at B[3][21], and B has 10 x 20 elements");
  f.offset = -8;
  EXPECT_EQ(explain({f}, positions, buffers).at(0).what,
            "thread (1,0) of block (0,0) reads 4 bytes at gpu_x.cu:33, 2 elements before B[0][0], and B has 10 x 20 "
            "elements");
  f.kind = lab_input_written;
  f.offset = 100;
  EXPECT_EQ(explain({f}, positions, buffers).at(0).what,
            "thread (1,0) of block (0,0) writes at gpu_x.cu:33 to B[1][1], which is an input");
  f.buffer = 3;  // none of the problem's
  EXPECT_EQ(explain({f}, positions, buffers).at(0).what, "thread (1,0) of block (0,0) writes at gpu_x.cu:33 to an input");
}

TEST(Diagnostics, TheWorkSpaceFollowsTheProblemsBuffers) {
  const NamedBuffers buffers = {{"A", 16, 16, 16, 4}, {"B", 10, 20, 24, 4}};
  lab_diagnostic f = seen(lab_out_of_bounds);
  f.buffer = 3;
  f.extent = 143;
  const Diagnostic after = explain({f}, positions, buffers).at(0);
  EXPECT_EQ(after.what,
            "thread (1,0) of block (0,0) reads 4 bytes at gpu_x.cu:33, at byte 1024 of the work space, which has 143 bytes");
  EXPECT_EQ(after.fix,
            "compare the index with the size of the work space: is the size that the variant asks for large enough, and in bytes?");
  f.offset = -8;
  EXPECT_EQ(explain({f}, positions, buffers).at(0).what,
            "thread (1,0) of block (0,0) reads 4 bytes at gpu_x.cu:33, 8 bytes before the work space of 143 bytes");
  f.buffer = 0;
  EXPECT_EQ(explain({f}, positions, buffers).at(0).what,
            "thread (1,0) of block (0,0) reads 4 bytes at gpu_x.cu:33, 8 bytes before a buffer of 143 bytes");
}

TEST(Diagnostics, RacesNameBothSides) {
  EXPECT_EQ(one(seen(lab_race_shared)).what,
            "thread (1,0) reads at gpu_x.cu:33 what thread (0,3) writes at gpu_x.cu:31, and there is no "
            "barrier between "
            "them (block (0,0))");
  EXPECT_EQ(one(seen(lab_race_blocks)).what,
            "block (0,0) reads at gpu_x.cu:33 what block (2,1) writes at gpu_x.cu:31: blocks of one launch "
            "run in any "
            "order");
  EXPECT_EQ(
      one(seen(lab_race_shared), {}).what,
      "thread (1,0) reads what thread (0,3) writes, and there is no barrier between them (block (0,0))");
}

TEST(Diagnostics, AddressesAreToldFromTheBuffer) {
  lab_diagnostic f = seen(lab_out_of_bounds);
  EXPECT_EQ(one(f).what,
            "thread (1,0) of block (0,0) reads 4 bytes at gpu_x.cu:33, at byte 1024 of a buffer of 1024 bytes");
  f.offset = -8;
  f.origin.thread[2] = 7;
  EXPECT_EQ(
      one(f).what,
      "thread (1,0,7) of block (0,0) reads 4 bytes at gpu_x.cu:33, 8 bytes before a buffer of 1024 bytes");
  f = seen(lab_illegal_address);
  f.offset = 16;
  EXPECT_EQ(one(f).what, "thread (1,0) of block (0,0) follows a null pointer at gpu_x.cu:33");
  f.offset = -1;
  EXPECT_EQ(one(f, {}).what, "thread (1,0) of block (0,0) follows an invalid pointer (0xffffffffffffffff)");
}

TEST(Diagnostics, AKernelWhoseBlocksStillEndMayOnlyBeSlow) {
  lab_diagnostic f = seen(lab_endless);
  f.have = 7;
  f.ideal = 40;
  f.offset = 499;
  f.extent = 1000;
  EXPECT_EQ(one(f).what,
            "the kernel had not ended at its time limit: 7 of 40 blocks had, and thread (1,0) of block (0,0) was still at "
            "gpu_x.cu:33");
  EXPECT_EQ(one(f, {}).what,
            "the kernel had not ended at its time limit: 7 of 40 blocks had, and thread (1,0) of block (0,0) was still running");
  const SourcePositions calls = {{f.other.code, {"gpu_x.cu", 31, ""}}};
  EXPECT_EQ(one(f, calls).what,
            "the kernel had not ended at its time limit: 7 of 40 blocks had, and thread (1,0) of block (0,0) was still at gpu_x.cu:31");
  EXPECT_EQ(one(f, calls).line, 31);
  EXPECT_EQ(one(f).other_line, 0);
  EXPECT_EQ(one(f).fix, "it may only be slow on the emulated device: take a smaller size or a longer \"case_time\"");
  const std::string loop =
      "look for a loop whose condition never changes, a thread that waits for another block, or a pipeline with too few "
      "stages or without consumer_release(); if there is none, take a "
      "smaller size or a longer \"case_time\"";
  f.offset = 500;
  EXPECT_EQ(one(f).fix, loop);
  f.offset = 499;
  f.have = 0;
  EXPECT_EQ(one(f).fix, loop);
}

TEST(Diagnostics, AdviceComesPerRequest) {
  EXPECT_EQ(one(seen(lab_uncoalesced)).what,
            "each request of a warp touches 16.0 blocks of 32 bytes where 4.0 would do: gpu_x.cu:33 uses 25 "
            "% of what it "
            "fetches");
  EXPECT_EQ(one(seen(lab_uncoalesced)).fix,
            "let neighbouring threads (threadIdx.x) use neighbouring elements, 32 of them in a row");
  lab_diagnostic lanes = seen(lab_idle_lanes);
  lanes.count = 10;
  lanes.have = 10;
  lanes.ideal = 320;
  EXPECT_EQ(one(lanes).what, "each block fills 1.0 of the 32.0 lanes of its warps");
  lab_diagnostic f = seen(lab_redundant_traffic);
  f.have = 2 << 20;
  f.ideal = 256 << 10;
  EXPECT_EQ(one(f).what, "the kernel asks global memory for 2 MiB, 8.0 times the 256 KiB that it touches");
  f.count = f.ideal = 0;  // nothing is divided by it
  EXPECT_NE(one(f).what.find("times the 0 B"), std::string::npos) << one(f).what;
}

TEST(Diagnostics, AdviceThatGainsLittleIsLeftOut) {
  for (const DiagnosticKind& kind : diagnostic_kinds()) {
    lab_diagnostic f = seen(kind.id);
    f.have = f.ideal = 32;
    EXPECT_EQ(explain({f}, positions).empty(), kind.severity == Severity::advice) << kind.name;
    f.have = 33;
    EXPECT_EQ(explain({f}, positions).empty(), kind.severity == Severity::advice) << kind.name;
    f.have = 64;
    EXPECT_EQ(explain({f}, positions).size(), 1u) << kind.name;
  }
  lab_diagnostic half = seen(lab_divergence);  // fewer is worse here
  half.have = 16;
  half.ideal = 32;
  EXPECT_EQ(explain({half}, positions).size(), 1u);
}

TEST(Diagnostics, AddressesOnceEachAndNoUnknownOnes) {
  lab_diagnostic f = seen(lab_race_shared), g = f;
  g.other.code = 0;
  EXPECT_EQ(addresses({f, g, f}), (std::vector<uint64_t>{0x100, 0x200}));
  EXPECT_TRUE(has_mistake({seen(lab_uncoalesced), f}));
  EXPECT_FALSE(has_mistake({seen(lab_uncoalesced)}));
  EXPECT_FALSE(has_mistake({}));
}

}  // namespace
}  // namespace harness
