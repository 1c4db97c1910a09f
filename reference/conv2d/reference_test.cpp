#include <gtest/gtest.h>

#include <cmath>

#include "reference/conv2d/run_for_test.h"

namespace harness::conv2d {
namespace {

struct Truth {
  std::vector<double> value, scale;
};

Truth reference(const ConvRun& run) {
  const BufferSpec& c = run.problem->output();
  Truth t{std::vector<double>(static_cast<size_t>(c.rows * c.cols)), {}};
  t.scale.resize(t.value.size());
  run.problem->reference(run.inputs, t.value.data(), t.scale.data());
  return t;
}

template <class T>
void set(ConvRun& run, size_t buffer, const std::vector<T>& v) {
  std::copy(v.begin(), v.end(), reinterpret_cast<T*>(run.memory[buffer].data()));
}

TEST(Conv2dReference, OfAWorkedExample) {
  ConvRun run(Dtype::f32, {{"size", int64_t{3}}, {"filter", int64_t{2}}}, Fill::integers);
  set<float>(run, 0, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  set<float>(run, 1, {1, 0, -1, 10});  // the 10 meets the pixel to the lower right
  EXPECT_EQ(reference(run).value, (std::vector<double>{1 - 4 + 50, 2 - 5 + 60, 4 - 7 + 80, 5 - 8 + 90}));
  EXPECT_EQ(reference(run).scale, (std::vector<double>{1 + 4 + 50, 2 + 5 + 60, 4 + 7 + 80, 5 + 8 + 90}));
}

TEST(Conv2dReference, OfAWorkedExampleWithPaddingStrideAndChannels) {
  ConvRun run(Dtype::f64,
              {{"size", int64_t{2}},
               {"channels", int64_t{2}},
               {"filters", int64_t{2}},
               {"filter", int64_t{2}},
               {"stride", int64_t{2}},
               {"padding", int64_t{1}}},
              Fill::integers);
  set<double>(run, 0, {1, 2, 3, 4, 10, 20, 30, 40});
  set<double>(run, 1, {1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 1, 0, 0, 1, 0});
  // Each output reads one pixel per channel: with the lower right tap, the lower left, the upper right, the
  // first.
  EXPECT_EQ(reference(run).value,
            (std::vector<double>{4 * 1 + 8 * 10, 3 * 2 + 7 * 20, 2 * 3 + 6 * 30, 4 + 5 * 40, 1, 20, 0, 0}));
}

/// Long double, one cell after the other, straight from the formula.
template <class T>
void agrees_with_plain_loops(Dtype dtype, const ProblemPtr& problem) {
  ConvRun run(problem, Fill::reals);
  const Shape& s = run.conv().shape();
  const auto in = run.of<T>(0), f = run.of<T>(1);
  const Truth t = reference(run);
  const int64_t height = (s.height + 2 * s.padding - s.filter_height) / s.stride + 1;
  const int64_t width = (s.width + 2 * s.padding - s.filter_width) / s.stride + 1;
  const double slack = static_cast<double>(problem->reduction_length() + 2) * unit_roundoff(Dtype::f64);
  size_t at = 0;
  std::vector<Cell> cells;
  for (int64_t b = 0; b < s.batch; ++b)
    for (int64_t k = 0; k < s.filters; ++k)
      for (int64_t y = 0; y < height; ++y)
        for (int64_t x = 0; x < width; ++x, ++at) {
          long double sum = 0, size = 0;
          for (int64_t c = 0; c < s.channels; ++c)
            for (int64_t i = 0; i < s.filter_height; ++i)
              for (int64_t j = 0; j < s.filter_width; ++j) {
                const int64_t h = y * s.stride + i - s.padding, w = x * s.stride + j - s.padding;
                if (h < 0 || h >= s.height || w < 0 || w >= s.width) continue;
                const long double product =
                    static_cast<long double>(in.data[((b * s.channels + c) * s.height + h) * s.width + w]) *
                    f.data[((k * s.channels + c) * s.filter_height + i) * s.filter_width + j];
                sum += product;
                size += std::abs(product);
              }
          ASSERT_NEAR(t.value[at], static_cast<double>(sum), slack * t.scale[at]) << problem->label();
          ASSERT_NEAR(t.scale[at], static_cast<double>(size), slack * t.scale[at]) << problem->label();
          cells.push_back({(b * s.filters + k) * height + y, x});
        }
  ASSERT_EQ(at, t.value.size());
  std::vector<double> value(at), scale(at);
  problem->reference_at(run.inputs, cells, value.data(), scale.data());
  EXPECT_EQ(value, t.value) << to_string(dtype);
  EXPECT_EQ(scale, t.scale);
}

TEST(Conv2dReference, AgreesWithPlainLoops) {
  for (const ProblemPtr& p : kernel().check_problems(Dtype::f32, {}, {}))
    agrees_with_plain_loops<float>(Dtype::f32, p);
  for (const ProblemPtr& p : kernel().check_problems(Dtype::f64, {}, {}))
    agrees_with_plain_loops<double>(Dtype::f64, p);
}

TEST(Conv2dReference, DoesNotReadTheOutput) {
  ConvRun run(Dtype::f32, mixed, Fill::reals);
  run.inputs[2] = nullptr;
  for (const double v : reference(run).value) ASSERT_TRUE(std::isfinite(v));
}

TEST(Conv2dFill, LeavesOneCellOffZero) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    ConvRun run(Dtype::f32, {{"size", int64_t{3}}, {"channels", int64_t{1000}}}, Fill::integers, seed);
    ASSERT_NE(reference(run).value[0], 0) << seed;
  }
}

TEST(Conv2dFill, IsPoisonInTheOutputAndRandomInTheInputs) {
  ConvRun run(Dtype::f32, mixed, Fill::integers);
  for (int64_t i = 0; i < run.of<float>(2).rows * run.of<float>(2).cols; ++i)
    ASSERT_TRUE(std::isnan(run.of<float>(2).data[i]));
  const auto limit = static_cast<float>(run.conv().largest_integer());
  for (const size_t buffer : {0, 1})
    for (int64_t i = 0; i < 36; ++i) {
      const float x = run.of<float>(buffer).data[i];
      ASSERT_TRUE(x != 0 && x == std::round(x) && std::abs(x) <= limit) << x;
    }
  EXPECT_NE(run.of<float>(0).data[0], run.of<float>(1).data[0]);
}

}  // namespace
}  // namespace harness::conv2d
