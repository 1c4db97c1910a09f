#include <gtest/gtest.h>

#include <cmath>

#include "reference/gemm/run_for_test.h"

namespace harness::gemm {
namespace {

struct Truth {
  std::vector<double> value, scale;
};

Truth reference(const GemmRun& run) {
  const BufferSpec& c = run.problem->output();
  Truth t{std::vector<double>(static_cast<size_t>(c.rows * c.cols)), {}};
  t.scale.resize(t.value.size());
  run.problem->reference(run.inputs, t.value.data(), t.scale.data());
  return t;
}

TEST(Reference, OfAWorkedExample) {
  GemmRun run(Dtype::f32, with(edges(2, 2, 3), {{"lda", int64_t{4}}, {"alpha", 2.0}, {"beta", -1.0}}),
              Fill::integers);
  const auto set = [](Matrix<float> m, const std::vector<float>& v) {
    for (int64_t i = 0; i < m.rows; ++i)
      for (int64_t j = 0; j < m.cols; ++j) m.at(i, j) = v[static_cast<size_t>(i * m.cols + j)];
  };
  set(run.of<float>(0), {1, 2, 3, 4, 5, -6});
  set(run.of<float>(1), {1, 0, 0, 1, 2, 2});
  // inputs are read from the run's memory, the output starts there too
  const Matrix<float> old{reinterpret_cast<float*>(run.memory[2].data()), 2, 2, 2};
  set(old, {10, 20, -30, 40});
  const Truth t = reference(run);
  EXPECT_EQ(t.value, (std::vector<double>{2 * 7 - 10, 2 * 8 - 20, 2 * -8 + 30, 2 * -7 - 40}));
  EXPECT_EQ(t.scale, (std::vector<double>{2 * 7 + 10, 2 * 8 + 20, 2 * 16 + 30, 2 * 17 + 40}));
}

/// Long double, one cell after the other.
template <class T>
void agrees_with_plain_loops(Dtype dtype, const Axes& parameters) {
  GemmRun run(dtype, parameters, Fill::reals);
  const Shape& s = static_cast<const Gemm&>(*run.problem).shape();
  const Truth t = reference(run);
  const double slack = static_cast<double>(s.k + 2) * 0x1p-53;
  for (int64_t i = 0; i < s.m; ++i)
    for (int64_t j = 0; j < s.n; ++j) {
      long double sum = 0, size = 0;
      for (int64_t p = 0; p < s.k; ++p) {
        const long double x = static_cast<long double>(run.of<T>(0).at(i, p)) * run.of<T>(1).at(p, j);
        sum += x;
        size += std::abs(x);
      }
      const long double c = s.beta == 0 ? 0 : s.beta * run.of<T>(2).at(i, j);
      const auto value = static_cast<double>(s.alpha * sum + c);
      const auto scale = static_cast<double>(std::abs(s.alpha) * size + std::abs(c));
      const auto at = static_cast<size_t>(i * s.n + j);
      ASSERT_NEAR(t.value[at], value, slack * scale) << i << " " << j;
      ASSERT_NEAR(t.scale[at], scale, slack * scale) << i << " " << j;
    }
}

TEST(Reference, AgreesWithPlainLoops) {
  for (const Axes& more : {Axes{}, Axes{{"alpha", 0.1}, {"beta", -3.0}}}) {
    for (const Axes& shape : {edges(1, 1, 1), edges(7, 11, 13), edges(1, 70, 33), edges(70, 1, 33),
                              edges(33, 65, 31), edges(64, 128, 96), edges(2, 3, 1000)}) {
      agrees_with_plain_loops<float>(Dtype::f32, with(shape, more));
      agrees_with_plain_loops<double>(Dtype::f64, with(shape, more));
    }
    agrees_with_plain_loops<float>(
        Dtype::f32,
        with(with(edges(31, 37, 41), {{"lda", int64_t{50}}, {"ldb", int64_t{38}}, {"ldc", int64_t{64}}}),
             more));
  }
}

TEST(Reference, OfIntegersIsExact) {
  for (const Dtype t : {Dtype::f32, Dtype::f64}) {
    GemmRun run(t, with(edges(40, 70, 1000), {{"alpha", 1.5}, {"beta", 0.5}}), Fill::integers);
    run.compute(right(t, "reversed"));
    const Truth truth = reference(run);
    for (int64_t i = 0; i < 40 * 70; ++i)
      ASSERT_EQ(truth.value[static_cast<size_t>(i)],
                t == Dtype::f32 ? static_cast<double>(run.of<float>(2).data[i]) : run.of<double>(2).data[i]);
  }
}

TEST(Reference, OfSomeCellsIsThatOfAll) {
  for (const Dtype t : all_dtypes)
    for (const double beta : {0.0, 0.5}) {
      GemmRun run(t, with(edges(50, 60, 777), {{"ldb", int64_t{64}}, {"beta", beta}}), Fill::reals);
      const Truth truth = reference(run);
      std::vector<Cell> cells;
      for (int64_t i = 0; i < 300; ++i) cells.push_back({i * 7 % 50, i * 13 % 60});
      std::vector<double> value(cells.size()), scale(cells.size());
      run.problem->reference_at(run.inputs, cells, value.data(), scale.data());
      for (size_t c = 0; c < cells.size(); ++c) {
        const auto at = static_cast<size_t>(cells[c].row * 60 + cells[c].col);
        ASSERT_NEAR(value[c], truth.value[at], 1e-14 * truth.scale[at]);
        ASSERT_NEAR(scale[c], truth.scale[at], 1e-13 * truth.scale[at]);
      }
    }
}

TEST(Reference, OfBeta0DoesNotReadC) {
  GemmRun run(Dtype::f32, edges(20, 20, 20), Fill::reals);
  run.inputs[2] = nullptr;
  for (const double v : reference(run).value) ASSERT_TRUE(std::isfinite(v));
}

}  // namespace
}  // namespace harness::gemm
