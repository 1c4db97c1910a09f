// The check and this kernel together: honest kernels pass, wrong ones do not, both ways.
#include <gtest/gtest.h>

#include "reference/gemm/run_for_test.h"

namespace harness::gemm {
namespace {

TEST(GemmCheck, RejectsEveryWrongKernelAndNoHonestOne) {
  for (const Dtype t : all_dtypes)
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      const SelfTest result = self_test(kernel(), t, seed);
      EXPECT_GE(result.rows.size(), 9u);
      EXPECT_TRUE(result.accepts_reference) << result.refused;
      EXPECT_EQ(result.rejected(), static_cast<int>(result.rows.size()));
      for (const SelfTest::Row& row : result.rows) EXPECT_TRUE(row.rejected) << row.name << " seed " << seed;
    }
}

TEST(GemmCheck, ShortPrecisionIsForRealsToFind) {
  for (const auto& [t, name] : {std::pair{Dtype::f32, "tf32_inputs"}, {Dtype::f64, "float_inputs"}})
    for (const SelfTest::Row& row : self_test(kernel(), t, 1).rows)
      if (row.name == name) {
        EXPECT_EQ(row.by, "componentwise + projection");
      }
}

// Strassen's product has errors of one size in all rows, and the rows of A are not of one size.
TEST(GemmCheck, TheNormwiseScaleIsTheLargestOfAllRows) {
  for (const Dtype t : all_dtypes) {
    const GemmRun run(t, with(edges(40, 50, 60), {{"alpha", -3.0}}), Fill::reals);
    const size_t cells = 40 * 50;
    std::vector<double> value(cells), scale(cells);
    run.problem->reference(run.inputs, value.data(), scale.data());
    const double of_one_cell = run.problem->normwise_scale(run.inputs, std::span(scale).first(1)), largest = *std::ranges::max_element(scale);
    EXPECT_GE(of_one_cell, largest) << to_string(t);
    EXPECT_LT(of_one_cell, 10 * largest) << to_string(t);
  }
}

// Columns of A and rows of B are not of one size, so that whole numbers of few bits show in long sums too.
TEST(GemmCheck, FixedPointIsSeenInLongSums) {
  GemmRun run(Dtype::bf16, edges(20, 20, 1024), Fill::reals);
  EXPECT_FALSE(run.compute(wrong(Dtype::bf16, "fixed_point")).cells().right);
}

TEST(GemmCheck, HonestOrdersPassCellByCellUpToLargeK) {
  for (const Dtype t : all_dtypes)
    for (const Fill fill : both_fills)
      for (const int64_t k : {1, 3, 100, 1024, 4096, 16384}) {
        GemmRun run(t, with(edges(13, 17, k), {{"alpha", 1.5}, {"beta", 0.5}}), fill);
        for (const RightKernel& kernel : kernel().right_kernels(t)) {
          const CheckResult v = run.compute(kernel).cells();
          EXPECT_TRUE(v.right) << kernel.name << " k=" << k << ": " << v.message;
          // Storing a result as bf16 rounds more than its sum.
          EXPECT_LT(v.worst_ratio, k < 4 || t == Dtype::bf16 ? 1 : 0.5) << kernel.name << " k=" << k;
          const bool exact = fill == Fill::integers && (t != Dtype::bf16 || k < 100);
          EXPECT_EQ(v.method, exact ? Method::exact : Method::componentwise) << to_string(t) << " k=" << k;
        }
      }
}

// The limit of a cell, 6 sqrt(k) u, is then wider than the error of shorter inputs.
TEST(GemmCheck, ShortInputsOfLongSumsAreSeenInSmallOutputs) {
  for (const auto& [m, k] : {std::pair<int64_t, int64_t>{16, 16384}, {16, 65536}, {32, 8192}}) {
    GemmRun run(Dtype::f32, edges(m, m, k), Fill::reals);
    run.compute(wrong(Dtype::f32, "tf32_inputs"));
    EXPECT_TRUE(run.cells().right) << m;
    const CheckResult v = run.output();
    EXPECT_FALSE(v.right) << m;
    EXPECT_NE(v.message.find("every cell is as if A and B had 11 significant bits"), std::string::npos) << v.message;
    EXPECT_EQ(v.message.find("tiles"), std::string::npos) << v.message;
  }
}

// Each timed call is looked at in 25 cells.
TEST(GemmCheck, ShortInputsOfLongSumsAreSeenInSomeCells) {
  for (const Dtype t : all_dtypes)
    for (const int64_t k : {1, 2, 7, 100, 1024, 32768})
      for (uint64_t seed = 1; seed <= 20; ++seed) {
        GemmRun run(t, with(edges(5, 5, k), {{"alpha", 1.5}, {"beta", 0.5}}), Fill::reals, seed);
        const auto look = [&] {
          return check_some_cells(*run.problem, Fill::reals, run.inputs, run.buffers.back(), {}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4});
        };
        for (const RightKernel& kernel : kernel().right_kernels(t)) {
          run.compute(kernel);
          EXPECT_TRUE(look().right) << kernel.name << " k=" << k << ": " << look().message;
        }
      }
  for (const int64_t k : {1024, 32768}) {
    GemmRun run(Dtype::f32, edges(5, 5, k), Fill::reals);
    run.compute(wrong(Dtype::f32, "tf32_inputs"));
    const CheckResult seen =
        check_some_cells(*run.problem, Fill::reals, run.inputs, run.buffers.back(), {}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4});
    EXPECT_FALSE(seen.right) << k;
    EXPECT_NE(seen.message.find("11 significant bits"), std::string::npos) << seen.message;
  }
}

TEST(GemmCheck, HonestOrdersPassWithOutputsOfFewCells) {
  for (const Dtype t : all_dtypes)
    for (const auto& [m, n] : {std::pair<int64_t, int64_t>{1, 1}, {1, 7}, {5, 3}, {2, 2}, {16, 16}, {100, 1}})
      for (const int64_t k : {1, 2, 3, 10, 100, 1000, 16384})
        for (const double beta : {0.0, 0.5}) {
          GemmRun run(t, with(edges(m, n, k), {{"alpha", 1.5}, {"beta", beta}}), Fill::reals);
          for (const RightKernel& kernel : kernel().right_kernels(t))
            for (uint64_t secret = 1; secret <= 3; ++secret) {
              const CheckResult v = run.compute(kernel).projection({}, secret);
              EXPECT_TRUE(v.right) << kernel.name << " " << m << " " << n << " " << k << ": " << v.message;
            }
        }
}

TEST(GemmCheck, OneMissingTermIsSeenAtLargeK) {
  for (const Fill fill : both_fills) {
    GemmRun run(Dtype::f32, edges(32, 32, 16384), fill);
    run.compute(wrong(Dtype::f32, "last_k_dropped"));
    EXPECT_FALSE(run.cells().right);
    EXPECT_FALSE(run.projection().right);
  }
}

TEST(GemmCheck, DeclaredTf32IsCheckedAsSuch) {
  const Precision tf32{.name = "tf32", .u_in = 0x1p-11};
  for (const Fill fill : both_fills) {
    GemmRun run(Dtype::f32, edges(40, 50, 60), fill);
    run.compute(wrong(Dtype::f32, "tf32_inputs"));
    EXPECT_TRUE(run.cells(tf32).right) << run.cells(tf32).message;
    EXPECT_TRUE(run.projection(tf32).right);
    run.compute(wrong(Dtype::f32, "last_k_dropped"));
    EXPECT_FALSE(run.cells(tf32).right);
    EXPECT_FALSE(run.projection(tf32).right);
  }
  GemmRun run(Dtype::f32, edges(40, 50, 60), Fill::integers);
  EXPECT_EQ(run.compute(right(Dtype::f32)).cells(tf32).method, Method::exact)
      << "small integers are TF32 numbers";
}

TEST(GemmCheck, NothingIsWeak) {
  for (const ProblemPtr& problem : kernel().check_problems(Dtype::f32, {}, {}))
    for (const Fill fill : both_fills)
      for (uint64_t seed = 0; seed < 20; ++seed) {
        GemmRun run(problem, fill, seed);
        const CheckResult v = run.compute(right(Dtype::f32)).cells();
        EXPECT_TRUE(v.right && !v.weak) << problem->label() << " " << seed;
      }
}

}  // namespace
}  // namespace harness::gemm
