#include "harness/client/regions.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <set>

#include "harness/check/layer_sum_for_test.h"
#include "harness/client/flush.h"

namespace harness {
namespace {

TEST(Region, EdgesPutDataAgainstThePage) {
  for (const int64_t bytes : {4, 4096, 5000, 12288}) {
    const auto end = Region::make(bytes, Edge::end, 1), start = Region::make(bytes, Edge::start, 1),
               middle = Region::make(bytes, Edge::middle, 1);
    ASSERT_TRUE(end && start && middle);
    EXPECT_EQ(start->offset(), 0);
    EXPECT_LT(end->bytes() - end->offset() - bytes, 64);
    EXPECT_EQ(end->offset() % 64, 0);
    EXPECT_GE(middle->offset(), 4096);
    EXPECT_GE(middle->bytes() - middle->offset() - bytes, 4096);
  }
}

TEST(Region, BandsTellWhatWasWrittenBeside) {
  auto region = *Region::make(100, Edge::middle, 1);
  EXPECT_EQ(region.band_damage("C"), std::nullopt);
  region.data()[100] = std::byte{1};
  region.data()[103] = std::byte{1};
  EXPECT_EQ(region.band_damage("C"), "2 bytes were written after the end of C");
  region.data()[-1] = std::byte{1};
  EXPECT_EQ(region.band_damage("C"), "1 bytes were written before the start of C");
}

// Only its bands take memory here. (A system call copies 2 GiB at most, which once made large outputs look damaged.)
TEST(Region, MayBeLargerThanASystemCallCopies) {
  constexpr int64_t bytes = (int64_t{3} << 30) + 100;
  auto region = *Region::make(bytes, Edge::middle, 1);
  EXPECT_EQ(region.band_damage("C"), std::nullopt);
  region.data()[bytes - 1] = std::byte{1};
  EXPECT_EQ(region.band_damage("C"), std::nullopt);
  region.data()[bytes] = std::byte{1};
  EXPECT_EQ(region.band_damage("C"), "1 bytes were written after the end of C");
}

// A variant that computes with the bytes behind its buffer and writes the results there.
TEST(Region, ArithmeticWithABandChangesIt) {
  for (uint64_t key = 1; key < 50; ++key) {
    auto region = *Region::make(4096, Edge::middle, key);
    auto* behind = reinterpret_cast<volatile float*>(region.data() + 4096);
    for (int i = 0; i < 7; ++i) behind[i] = behind[i] * 0.5f + 1;  // 28 bytes
    EXPECT_NE(region.band_damage("C"), std::nullopt) << key;
  }
}

TEST(Region, BandsHoldNotANumberInBothTypes) {
  auto region = *Region::make(4096, Edge::middle, 7);
  int of_f32 = 0, of_f64 = 0;
  for (int i = 0; i < 64; ++i) {
    float single;
    double pair;
    std::memcpy(&single, region.data() + 4096 + 4 * i, sizeof single);
    std::memcpy(&pair, region.data() + 4096 + 8 * i, sizeof pair);
    of_f32 += single != single;
    of_f64 += pair != pair;
  }
  EXPECT_EQ(of_f32, 32);
  EXPECT_EQ(of_f64, 32);
}

TEST(Region, NobodyCanMakeItShorter) {
  auto region = *Region::make(4096, Edge::middle, 1);
  EXPECT_NE(ftruncate(region.fd(), 0), 0);
}

TEST(Region, SealedMemoryCannotBeMappedForWriting) {
  auto region = *Region::make(100, Edge::end, 1);
  ASSERT_TRUE(region.seal());
  const auto bytes = static_cast<size_t>(region.bytes());
  EXPECT_EQ(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, region.fd(), 0), MAP_FAILED);
  void* p = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, region.fd(), 0);
  ASSERT_NE(p, MAP_FAILED);
  EXPECT_NE(mprotect(p, bytes, PROT_READ | PROT_WRITE), 0);
  munmap(p, bytes);
}

TEST(DataLines, AreAllThatHoldAnElementAndNoOther) {
  for (const auto& [rows, cols, ld] : {std::array{1, 1, 1}, {5, 16, 16}, {5, 16, 64}, {7, 3, 4}, {7, 20, 37}, {9, 17, 1000},
                                       {3, 33, 48}, {3, 1, 17}, {0, 4, 4}}) {
    const BufferSpec spec{"A", Role::input, rows, cols, ld};
    std::set<size_t> want, got;
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < cols; ++c) want.insert(static_cast<size_t>(r * ld + c) * 4 / 64 * 64);
    const DataLines lines(spec, Dtype::f32);
    for (size_t i = 0; i < lines.count(); ++i) {
      got.insert(lines.at(i));
      EXPECT_TRUE(i == 0 || lines.at(i - 1) <= lines.at(i));
    }
    EXPECT_EQ(got, want) << rows << " " << cols << " " << ld;
    EXPECT_GE(lines.bytes(), want.size() * 64);
  }
}

TEST(Inputs, WhatWasDrawnOutOfSightIsShownInThreeSteps) {
  const auto problem = std::make_shared<LayerSum>(Dtype::f32, LayerSum::Shape{2, 13, 7, 9, Role::inout});
  Inputs inputs = *Inputs::draw(problem, Fill::reals, 1, Edge::end), wanted = *Inputs::draw(problem, Fill::reals, 1, Edge::end);
  const auto same = [&](size_t buffer) {
    return std::memcmp(inputs.pristine()[buffer], wanted.pristine()[buffer],
                       static_cast<size_t>(problem->buffers()[buffer].bytes(Dtype::f32))) == 0;
  };
  for (const auto to : {Inputs::CopyTo::caches, Inputs::CopyTo::memory}) {
    const uint64_t seed = to == Inputs::CopyTo::caches ? 2 : 3;
    wanted.redraw(seed);
    inputs.draw_hidden(seed);
    EXPECT_FALSE(same(0) || same(1));
    inputs.show_outputs();
    EXPECT_TRUE(same(1));
    inputs.show(Inputs::Show::larger_inputs, to);
    EXPECT_FALSE(same(0)) << "the only input is the smallest";
    inputs.show(Inputs::Show::smallest_input, to);
    EXPECT_TRUE(same(0) && same(1));
  }
}

TEST(Inputs, SomeLinesOfTheSmallestInputAreShownLast) {
  const auto problem = std::make_shared<LayerSum>(Dtype::f32, LayerSum::Shape{2, 13, 7, 9, Role::inout});
  const auto bytes = static_cast<size_t>(problem->buffers()[0].bytes(Dtype::f32));
  for (const size_t hidden : {size_t{0}, size_t{256}, bytes, 2 * bytes}) {
    Inputs inputs = *Inputs::draw(problem, Fill::reals, 1, Edge::end), before = *Inputs::draw(problem, Fill::reals, 1, Edge::end),
           wanted = *Inputs::draw(problem, Fill::reals, 2, Edge::end);
    inputs.redraw_partly(2, hidden);
    size_t old_lines = 0;
    for (size_t at = 0; at < bytes; at += cache_line_bytes) {
      const size_t size = std::min(cache_line_bytes, bytes - at);
      const auto is = [&](const Inputs& other) { return std::memcmp(inputs.pristine()[0] + at, other.pristine()[0] + at, size) == 0; };
      EXPECT_NE(is(before), is(wanted)) << at;
      old_lines += is(before);
    }
    EXPECT_EQ(old_lines, std::min(hidden / cache_line_bytes, (bytes + cache_line_bytes - 1) / cache_line_bytes));
    inputs.show(Inputs::Show::smallest_input, Inputs::CopyTo::caches);
    EXPECT_EQ(std::memcmp(inputs.pristine()[0], wanted.pristine()[0], bytes), 0);
  }
}

TEST(Inputs, LinesOfPaddingAreNotAmongThem) {
  const auto problem = std::make_shared<LayerSum>(Dtype::f32, LayerSum::Shape{2, 13, 7, 100, Role::inout});
  Inputs inputs = *Inputs::draw(problem, Fill::reals, 1, Edge::end), wanted = *Inputs::draw(problem, Fill::reals, 2, Edge::end);
  constexpr size_t hidden_lines = 8;
  inputs.redraw_partly(2, hidden_lines * cache_line_bytes);
  const DataLines lines(problem->buffers()[0], Dtype::f32);
  std::set<size_t> old;
  const auto bytes = static_cast<size_t>(problem->buffers()[0].bytes(Dtype::f32));
  for (size_t i = 0; i < lines.count(); ++i) {
    const size_t at = lines.at(i), size = std::min(cache_line_bytes, bytes - at);
    if (std::memcmp(inputs.pristine()[0] + at, wanted.pristine()[0] + at, size) != 0) old.insert(at);
  }
  EXPECT_GE(old.size(), hidden_lines - 2);  // with this seed at most two pairs are the same
}

}  // namespace
}  // namespace harness
