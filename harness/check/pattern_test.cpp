#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/check/layer_sum_for_test.h"

namespace harness {
namespace {

LayerSumRun copy_of(int64_t rows, int64_t cols, Role role = Role::output, Fill fill = Fill::integers) {
  return LayerSumRun(Dtype::f32, {.rows = rows, .cols = cols, .ld = cols + 2, .role = role}, fill);
}

/// What follows the counts and cells of the message.
std::string mismatches_of(const CheckResult& v) {
  const size_t at = v.message.find("; ");
  return at == std::string::npos ? "" : v.message.substr(at + 2);
}

/// Cells that `is_wrong` become unlike anything.
template <class F>
std::string location(LayerSumRun run, F is_wrong) {
  run.each([&](int64_t i, int64_t j) {
    if (is_wrong(i, j)) run.set(i, j, run.want(i, j) + 7919 + static_cast<double>(i * i * 31 + j * j * 17));
  });
  return mismatches_of(run.cells());
}

constexpr const char* tail = ": is the incomplete tile at the end handled?";

TEST(Location, TailOfRows) {
  EXPECT_EQ(location(copy_of(37, 41), [](int64_t i, int64_t) { return i >= 34; }),
            std::string("every wrong cell lies in the last 3 of 37 rows") + tail);
  EXPECT_EQ(location(copy_of(37, 41), [](int64_t i, int64_t j) { return i == 36 && j % 3 > 0; }),
            std::string("every wrong cell lies in the last row") + tail);
}

TEST(Location, TailOfColumns) {
  EXPECT_EQ(location(copy_of(37, 41), [](int64_t, int64_t j) { return j >= 36; }),
            std::string("every wrong cell lies in the last 5 of 41 columns") + tail);
}

TEST(Location, MoreThanATailOfZerosWasNotReached) {
  LayerSumRun run = copy_of(37, 41);
  run.each([&](int64_t i, int64_t j) {
    if (i >= 8) run.set(i, j, 0);
  });
  EXPECT_EQ(mismatches_of(run.cells()),
            "every wrong cell is 0; every wrong cell lies in the last 29 of 37 rows: do the loops or the threads reach "
            "all of the output?");
}

TEST(Location, MoreThanATailWithNumbersWasReached) {
  EXPECT_EQ(location(copy_of(37, 41), [](int64_t i, int64_t) { return i >= 8; }),
            "every wrong cell lies in the last 29 of 37 rows: is an index or the distance between two rows wrong from "
            "there on?");
}

TEST(Location, AFirstLineWithoutWrongCellsIsChance) {
  EXPECT_EQ(location(copy_of(37, 41), [](int64_t i, int64_t j) { return j > 0 && (i * j) % 5 > 1; }), "");
  EXPECT_EQ(location(copy_of(37, 41), [](int64_t i, int64_t j) { return i > 0 && (i * 3 + j) % 5 > 1; }), "");
}

TEST(Location, Corner) {
  EXPECT_EQ(location(copy_of(37, 41), [](int64_t i, int64_t j) { return i >= 32 && j >= 40; }),
            std::string("every wrong cell lies in the last 5 of 37 rows and the last column") + tail);
}

TEST(Location, BothTails) {
  EXPECT_EQ(location(copy_of(37, 41), [](int64_t i, int64_t j) { return i >= 32 || j >= 32; }),
            std::string("every wrong cell lies in the last 5 of 37 rows or the last 9 of 41 columns") + tail);
}

TEST(Location, OneLine) {
  EXPECT_EQ(location(copy_of(37, 41), [](int64_t i, int64_t) { return i == 5; }),
            "every wrong cell lies in row 5");
  EXPECT_EQ(location(copy_of(37, 41), [](int64_t i, int64_t j) { return j == 7 && i > 3; }),
            "every wrong cell lies in column 7");
}

TEST(Location, EveryEighthLine) {
  EXPECT_EQ(location(copy_of(37, 41), [](int64_t, int64_t j) { return j % 8 == 7; }),
            "every wrong cell lies in a column with column % 8 == 7");
  EXPECT_EQ(location(copy_of(37, 41), [](int64_t i, int64_t) { return i % 3 == 1; }),
            "every wrong cell lies in a row with row % 3 == 1");
}

TEST(Location, FewCellsAreNoPattern) {
  EXPECT_EQ(location(copy_of(7, 11), [](int64_t i, int64_t j) { return i % 3 == 1 && (i + j) % 9 == 4; }), "");
}

TEST(Location, TwoLinesAreNoPattern) {
  EXPECT_EQ(location(copy_of(37, 41), [](int64_t i, int64_t j) { return (i == 7 || i == 27) && (i + j * j) % 5 == 1; }), "");
}

TEST(Location, Checkerboard) {
  EXPECT_EQ(location(copy_of(48, 50), [](int64_t i, int64_t j) { return (i / 16 + j / 16) % 2 == 1; }),
            "whole tiles are wrong: 6 of 12, 16 x 16 each, the first at Y[0][16]: is a barrier missing, is a tile "
            "left out, or are two indices exchanged?");
}

TEST(Location, NothingToSayOfScatteredSingleOrAllCells) {
  EXPECT_EQ(location(copy_of(37, 41), [](int64_t i, int64_t j) { return (i * 41 + j) % 11 == 3; }), "");
  EXPECT_EQ(location(copy_of(37, 41), [](int64_t i, int64_t j) { return i == 36 && j == 40; }), "");
  EXPECT_EQ(location(copy_of(37, 41), [](int64_t, int64_t) { return true; }), "");
}

TEST(Value, NeverWritten) {
  LayerSumRun run = copy_of(37, 41);
  run.each([&](int64_t i, int64_t j) {
    if (i >= 34) run.leave(i, j);
  });
  EXPECT_EQ(run.cells().message, "123 of 1517 cells differ, first Y[34][0]: got NaN, want " +
                                     std::to_string(static_cast<int>(run.want(34, 0))) +
                                     "; every wrong cell lies in the last 3 of 37 rows; every wrong cell "
                                     "still holds the NaN from before: "
                                     "was it written, or is Y read, whose old values do not count here?");
}

TEST(Value, OldValueOfAnInout) {
  LayerSumRun run = copy_of(9, 9, Role::inout);
  run.each([&](int64_t i, int64_t j) { run.leave(i, j); });
  EXPECT_EQ(mismatches_of(run.cells()), "every wrong cell still holds its old value: was it written?");
}

TEST(Value, PaddingRead) {
  LayerSumRun run = copy_of(9, 9);
  run.each([&](int64_t i, int64_t j) {
    reinterpret_cast<uint32_t*>(run.output())[run.at(i, j)] = static_cast<uint32_t>(padding_bits(Dtype::f32));
  });
  EXPECT_EQ(mismatches_of(run.cells()),
            "every wrong cell was computed from the padding behind a row: is the leading dimension used, and "
            "does an "
            "index pass the end of a row?");
}

TEST(Value, HugeNumbersComeFromPaddingOrBands) {
  LayerSumRun run = copy_of(9, 9);
  run.set(3, 3, 1e30);
  run.set(4, 5, std::nan(""));
  EXPECT_EQ(mismatches_of(run.cells()),
            "every wrong cell is huge or NaN, as are the padding behind rows and the memory around buffers: is the "
            "leading dimension used, and does an index pass the end of a row or of a buffer?");
  run.set(5, 5, 2);  // this one has another cause
  EXPECT_EQ(mismatches_of(run.cells()).find("huge"), std::string::npos);
}

TEST(Value, HugeNumbersWithPackedRows) {
  LayerSumRun run(Dtype::f32, {.rows = 9, .cols = 9, .ld = 9}, Fill::integers);
  run.set(3, 3, 1e30);
  run.set(4, 5, std::nan(""));
  EXPECT_EQ(mismatches_of(run.cells()),
            "every wrong cell is huge or NaN, as is the memory around buffers: does an index pass the end of a row or of a buffer?");
}

TEST(Value, OtherNan) {
  LayerSumRun run = copy_of(9, 9);
  run.set(3, 3, std::nan(""));
  run.set(4, 5, std::nan(""));
  EXPECT_EQ(
      mismatches_of(run.cells()),
      "every wrong cell is NaN or infinite: is memory read that was not set, or the padding behind a row?");
}

TEST(Value, Zeros) {
  LayerSumRun run = copy_of(9, 9);
  run.each([&](int64_t i, int64_t j) { run.set(i, j, 0); });
  EXPECT_EQ(mismatches_of(run.cells()), "every wrong cell is 0");
}

TEST(Value, Factor) {
  for (const Fill fill : {Fill::integers, Fill::reals}) {
    LayerSumRun run = copy_of(9, 9, Role::output, fill);
    run.each([&](int64_t i, int64_t j) { run.set(i, j, 2 * run.want(i, j)); });
    EXPECT_EQ(mismatches_of(run.cells()), "every wrong cell is 2 times the right value");
    run.each([&](int64_t i, int64_t j) { run.set(i, j, -run.want(i, j)); });
    EXPECT_EQ(mismatches_of(run.cells()), "every wrong cell has the opposite sign");
  }
}

TEST(Value, OneNumberIsByChanceTheOldOne) {
  LayerSumRun run = copy_of(9, 9, Role::inout);
  run.leave(0, 0);
  const double off = run.problem.get(run.output(), 0) - run.want(0, 0);
  run.each([&](int64_t i, int64_t j) { run.set(i, j, run.want(i, j) + off); });
  EXPECT_EQ(mismatches_of(run.cells()),
            fmt::format("every wrong cell is {} too {}: is a constant added, or does the sum begin with another value than 0?",
                        std::abs(off), off > 0 ? "large" : "small"));
}

TEST(Value, ShiftedByOneColumnOrRow) {
  LayerSumRun run = copy_of(9, 9);
  run.each([&](int64_t i, int64_t j) { run.set(i, j, j == 8 ? 5000 : run.want(i, j + 1)); });
  EXPECT_EQ(mismatches_of(run.cells()),
            "every wrong cell holds the value of the cell beside it: is a column index off by one?");
  run.each([&](int64_t i, int64_t j) { run.set(i, j, i == 0 ? 5000 : run.want(i - 1, j)); });
  EXPECT_EQ(mismatches_of(run.cells()),
            "every wrong cell holds the value of the cell above or below: is a row index off by one?");
}

TEST(Value, SumThatGoesOnFromTheCellBefore) {
  for (const Fill fill : {Fill::integers, Fill::reals}) {
    LayerSumRun run = copy_of(37, 41, Role::output, fill);
    double sum = 0;
    run.each([&](int64_t i, int64_t j) { run.set(i, j, sum += run.want(i, j)); });
    EXPECT_EQ(mismatches_of(run.cells()),
              "every wrong cell lies in the last 36 of 37 rows or the last 40 of 41 columns; every wrong cell is the right value "
              "plus the cell before it: is the sum set to 0 for each cell?");
    run.each([&](int64_t i, int64_t j) { run.set(i, j, sum = (j == 0 ? 0 : sum) + run.want(i, j)); });
    EXPECT_EQ(mismatches_of(run.cells()),
              "every wrong cell lies in the last 40 of 41 columns; every wrong cell is the right value plus the cell before it: is "
              "the sum set to 0 for each cell?");
  }
}

TEST(Value, ShortNumbers) {
  LayerSumRun run(Dtype::f64, {.layers = 10, .rows = 9, .cols = 9, .ld = 9}, Fill::reals);
  run.each([&](int64_t i, int64_t j) { run.set(i, j, static_cast<float>(run.want(i, j))); });
  EXPECT_EQ(mismatches_of(run.cells()),
            "all errors are small, but larger than rounding: is a float used where a double belongs, or Strassen, Winograd or FFT without "
            "LAB_PRECISION(normwise)?");
  EXPECT_EQ(mismatches_of(run.cells({.name = "normwise", .normwise = true})),
            "all errors are small, but larger than rounding: is something computed with fewer digits, or does the algorithm round too "
            "often, as Strassen's recursion down to small blocks?");
}

TEST(Value, ErrorsThatAreTinyBesideTheLargestResult) {
  LayerSumRun run(Dtype::f64, {.rows = 9, .cols = 9, .ld = 9}, Fill::integers);
  run.problem.put(reinterpret_cast<std::byte*>(run.x.data()), run.at(3, 4), 0);
  run.set(3, 4, -4e-12);
  run.set(5, 7, run.want(5, 7) + 1e-12);
  EXPECT_EQ(mismatches_of(run.cells()),
            "every difference is tiny beside the largest result: if the algorithm is exact only relative to the whole (FFT, Winograd, "
            "Strassen), declare LAB_PRECISION(normwise)");
  EXPECT_TRUE(run.cells({.name = "normwise", .normwise = true}).right);
  run.set(5, 7, run.want(5, 7) + 0.5);
  EXPECT_EQ(mismatches_of(run.cells()), "");
}

TEST(Value, NothingIsTinyBesideTheLargestOfOne) {
  LayerSumRun run(Dtype::f64, {.rows = 1, .cols = 1, .ld = 1}, Fill::integers);
  run.set(0, 0, run.want(0, 0) + 1e-12);
  EXPECT_EQ(mismatches_of(run.cells()).find("tiny"), std::string::npos);
}

TEST(Value, SumsThatWereNeverSetAreNotRoundedOnes) {
  LayerSumRun run(Dtype::f64, {.rows = 9, .cols = 9, .ld = 9}, Fill::integers);
  run.problem.put(reinterpret_cast<std::byte*>(run.x.data()), run.at(3, 4), 0);
  run.set(3, 4, 4.6e-310);
  EXPECT_EQ(mismatches_of(run.cells()), "");
}

TEST(Value, WholeNumbersThatAreOffAreNotTinyBesideAVeryLargeResult) {
  LayerSumRun run = copy_of(9, 9);
  run.problem.put(reinterpret_cast<std::byte*>(run.x.data()), 0, 1 << 24);
  run.set(0, 0, 1 << 24);
  run.set(3, 4, run.want(3, 4) + 1);
  EXPECT_TRUE(run.cells({.name = "normwise", .normwise = true}).right);
  EXPECT_EQ(mismatches_of(run.cells()), "");
}

TEST(Value, ShortNumbersOrAnotherUseOfTheOldOutput) {
  LayerSumRun run(Dtype::f64, {.layers = 10, .rows = 9, .cols = 9, .ld = 9, .role = Role::inout}, Fill::reals);
  run.each([&](int64_t i, int64_t j) { run.set(i, j, static_cast<float>(run.want(i, j))); });
  EXPECT_EQ(mismatches_of(run.cells()),
            "all errors are small, but larger than rounding: is the old value of Y used in another way, or does something have fewer "
            "digits, as TF32 or Strassen's algorithm?");
}

TEST(Value, NothingToSayOfUnlikeValues) {
  LayerSumRun run = copy_of(9, 9);
  run.each(
      [&](int64_t i, int64_t j) { run.set(i, j, run.want(i, j) + static_cast<double>(i * 100 + j * j)); });
  run.set(0, 0, 4321);
  EXPECT_EQ(mismatches_of(run.cells()), "");
}

}  // namespace
}  // namespace harness
