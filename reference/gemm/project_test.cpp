#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "reference/common/rounding.h"
#include "reference/common/weigh.h"
#include "reference/gemm/run_for_test.h"

namespace harness::gemm {
namespace {

double worst(const KernelRun& run, double u_in = 0) {
  double ratio = 0;
  for (const LineResidual& l : run.problem->project(run.inputs, run.buffers.back(), 5, run.fill,
                                                    unit_roundoff(run.problem->dtype()), u_in))
    ratio = std::max(ratio, l.residual / l.limit);
  return ratio;
}

/// Fast enough for 1024^3 in a test: rows of B are added to rows of C, in the order of k, in float.
RightKernel by_rows(int input_bits = 24) {
  return {"by_rows", [=](const Problem& problem, const HostBuffers& buffers) {
            const auto a = matrix<float>(problem, buffers, 0), b = matrix<float>(problem, buffers, 1),
                       c = matrix<float>(problem, buffers, 2);
            const auto input = [=](float x) {
              return static_cast<float>(rounded_to(static_cast<double>(x), input_bits));
            };
            std::vector<float> rounded(b.data, b.data + b.rows * b.ld);
            std::transform(rounded.begin(), rounded.end(), rounded.begin(), input);
            for (int64_t i = 0; i < c.rows; ++i) {
              std::fill_n(c.row(i), c.cols, 0.f);
              for (int64_t p = 0; p < a.cols; ++p) {
                const float x = input(a.at(i, p));
                const float* from = rounded.data() + p * b.ld;
                float* to = c.row(i);
                for (int64_t j = 0; j < c.cols; ++j) to[j] += x * from[j];
              }
            }
          }};
}

TEST(Weigh, SumsRowsAndColumns) {
  const std::vector<float> data = {1, 2, 3, -99, 4, 5, 6, -99};
  const Matrix<const float> m{data.data(), 2, 3, 4};
  Pair x(3), y(2);
  x.of = {std::vector<double>{1, 10, 100}, std::vector<double>{1, 1, 1}};
  y.of = {std::vector<double>{1, 10}, std::vector<double>{-1, 1}};
  const Weighed w = weigh(m, &x, &y);
  EXPECT_EQ(w.right.of[0], (std::vector<double>{321, 654}));
  EXPECT_EQ(w.right.of[1], (std::vector<double>{6, 15}));
  EXPECT_EQ(w.left.of[0], (std::vector<double>{41, 52, 63}));
  EXPECT_EQ(w.left.of[1], (std::vector<double>{3, 3, 3}));
  EXPECT_EQ(w.row_squares, (std::vector<double>{14, 77}));
  EXPECT_EQ(w.column_squares, (std::vector<double>{17, 29, 45}));
  EXPECT_EQ(w.squares(), 91);
}

TEST(Weigh, AgreesWithPlainLoopsOnLargeMatrices) {
  GemmRun run(Dtype::f64, with(edges(333, 1100, 1), {{"beta", 1.0}, {"ldc", int64_t{1103}}}), Fill::integers);
  const Matrix<const double> c = matrix<double>(*run.problem, run.inputs, 2);
  Pair x(c.cols), y(c.rows);
  for (int v = 0; v < 2; ++v) {
    for (size_t j = 0; j < x.of[v].size(); ++j) x.of[v][j] = static_cast<double>(j % 5) - v;
    for (size_t i = 0; i < y.of[v].size(); ++i) y.of[v][i] = static_cast<double>(i % 7) - v;
  }
  Pair right(c.rows), left(c.cols);
  for (int64_t i = 0; i < c.rows; ++i)
    for (int64_t j = 0; j < c.cols; ++j)
      for (int v = 0; v < 2; ++v) {
        right.of[v][static_cast<size_t>(i)] += c.at(i, j) * x.of[v][static_cast<size_t>(j)];
        left.of[v][static_cast<size_t>(j)] += c.at(i, j) * y.of[v][static_cast<size_t>(i)];
      }
  const Weighed w = weigh(c, &x, &y);
  EXPECT_EQ(w.right.of, right.of);
  EXPECT_EQ(w.left.of, left.of);
}

TEST(Project, HasALineForEveryRowAndColumn) {
  GemmRun run(Dtype::f32, edges(3, 5, 7), Fill::reals);
  std::fill_n(run.of<float>(2).data, 3 * 5, NAN);
  const auto lines = run.problem->project(run.inputs, run.buffers.back(), 5, Fill::reals, 0x1p-24, 0);
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_EQ(lines[2].axis, LineResidual::Axis::row);
  EXPECT_EQ(lines[2].index, 2);
  EXPECT_EQ(lines[3].axis, LineResidual::Axis::column);
  EXPECT_EQ(lines[7].index, 4);
  for (const LineResidual& l : lines) EXPECT_TRUE(std::isnan(l.residual)) << "a line with NaN";
}

TEST(Project, HonestOrdersStayFarBelowTheLimit) {
  for (const Dtype t : all_dtypes) {
    const double most = t == Dtype::bf16 ? 0.7 : 0.5;  // what is left is head-room
    for (const Axes& shape :
         {edges(1, 1, 1), edges(60, 50, 1), edges(60, 50, 3), edges(1, 64, 4096), edges(64, 1, 4096),
          edges(100, 90, 100), edges(16, 16, 16384), edges(300, 300, 8)})
      for (const Axes& scalars :
           {Axes{}, Axes{{"alpha", 1.5}, {"beta", 0.5}}, Axes{{"alpha", 0.1}, {"beta", -7.0}}}) {
        GemmRun run(t, with(shape, scalars), Fill::reals, 3);
        for (const RightKernel& k : kernel().right_kernels(t))
          EXPECT_LT(worst(run.compute(k)), most) << k.name << " " << run.problem->label();
      }
  }
}

// Results of +-1 at this k need 9 bits, so each of the larger ones is rounded by half a unit.
TEST(Project, IntegersThatAreRoundedToBf16StayBelowTheLimit) {
  for (const uint64_t seed : {1, 2, 3}) {
    GemmRun run(Dtype::bf16, with(edges(300, 300, 4096), {{"alpha", 1.5}, {"beta", 0.5}}), Fill::integers, seed);
    EXPECT_LT(worst(run.compute(right(Dtype::bf16))), 0.7);
  }
}

TEST(Project, OfIntegersIsExact) {
  for (const Dtype t : all_dtypes)
    for (const Axes& shape :
         {edges(60, 50, 1), edges(1, 64, 4096), edges(100, 90, 100), edges(16, 16, 16384)}) {
      GemmRun run(t, with(shape, {{"alpha", 1.5}, {"beta", 0.5}}), Fill::integers);
      if (t == Dtype::bf16 && static_cast<const Gemm&>(*run.problem).shape().k >= 100) continue;  // results of more than 8 bits
      run.compute(right(t));
      for (const LineResidual& l :
           run.problem->project(run.inputs, run.buffers.back(), 9, run.fill, unit_roundoff(t), 0)) {
        ASSERT_EQ(l.residual, 0);
        ASSERT_EQ(l.limit, 0);
      }
    }
}

TEST(Project, IntegersOffTheGridOrOutOfRangeAreFlagged) {
  GemmRun run(Dtype::f64, edges(20, 30, 40), Fill::integers);
  run.compute(right(Dtype::f64));
  const double kept = run.of<double>(2).at(7, 9);
  for (const double bad : {std::nextafter(kept, 1e300), kept + 0.25, 0x1p52, -0x1p60, 1e300}) {
    run.of<double>(2).at(7, 9) = bad;
    for (const LineResidual& l :
         run.problem->project(run.inputs, run.buffers.back(), 9, run.fill, 0x1p-53, 0)) {
      const bool hit = l.index == (l.axis == LineResidual::Axis::row ? 7 : 9);
      EXPECT_EQ(l.residual > l.limit, hit) << bad << " " << l.index;
    }
  }
}

TEST(Project, NonDyadicScalarsFallBackToBounds) {
  GemmRun run(Dtype::f32, with(edges(40, 50, 60), {{"alpha", 0.1}, {"beta", 0.3}}), Fill::integers);
  EXPECT_TRUE(run.compute(right(Dtype::f32)).projection().right);
  EXPECT_TRUE(run.cells().right);
  EXPECT_EQ(run.cells().method, Method::componentwise);
  EXPECT_FALSE(run.compute(wrong(Dtype::f32, "last_k_dropped")).projection().right);
  EXPECT_FALSE(run.cells().right);
}

TEST(Project, At1024OneZeroedCellTheLastKTheLastRowAndTf32AreSeen) {
  const Axes size = {{"size", int64_t{1024}}};
  GemmRun run(Dtype::f32, size, Fill::reals);
  run.compute(by_rows());
  const CheckResult honest = run.projection();
  EXPECT_TRUE(honest.right) << honest.message;
  EXPECT_LT(honest.worst_ratio, 0.5);

  const auto c = run.of<float>(2);
  for (const auto& [i, j] : {std::pair<int64_t, int64_t>{0, 0}, {517, 333}, {1023, 1023}}) {
    const float kept = c.at(i, j);
    c.at(i, j) = 0;
    const CheckResult v = run.projection();
    EXPECT_FALSE(v.right);
    ASSERT_TRUE(v.first);
    EXPECT_EQ(v.first->row, i);
    EXPECT_EQ(v.first->col, j);
    c.at(i, j) = kept;
  }

  std::fill_n(c.row(1023), 1024, std::bit_cast<float>(~0u));
  EXPECT_NE(
      run.projection().message.find("every wrong cell lies in the last row; every wrong cell still holds"),
      std::string::npos);
  run.compute(by_rows());

  const auto a = run.of<float>(0), b = run.of<float>(1);
  for (int64_t i = 0; i < 1024; ++i)
    for (int64_t j = 0; j < 1024; ++j) c.at(i, j) -= a.at(i, 1023) * b.at(1023, j);
  EXPECT_NE(run.projection().message.find("every cell lacks the last step of 1024"), std::string::npos)
      << run.projection().message;

  run.compute(by_rows(tf32_bits));
  const CheckResult tf32 = run.projection();
  EXPECT_FALSE(tf32.right);
  EXPECT_GT(tf32.worst_ratio, 20);
  EXPECT_NE(tf32.message.find("as if A and B had 11 significant bits"), std::string::npos) << tf32.message;
  EXPECT_TRUE(run.projection({.name = "tf32", .u_in = 0x1p-11}).right) << "declared, it is right";
}

TEST(Project, Tf32IsSeenAtLargeK) {
  for (const int64_t k : {8192, 16384}) {
    GemmRun run(Dtype::f32, edges(64, 64, k), Fill::reals);
    EXPECT_LT(worst(run.compute(by_rows())), 0.5) << k;
    EXPECT_GT(worst(run.compute(by_rows(tf32_bits))), 5) << k;
    EXPECT_LT(worst(run, 0x1p-11), 0.5) << k;
  }
}

}  // namespace
}  // namespace harness::gemm
