// An honest kernel that transforms its inputs: its rounding is not that of its own products.
#include <gtest/gtest.h>

#include <array>

#include "reference/conv2d/run_for_test.h"

namespace harness::conv2d {
namespace {

template <size_t ROWS, size_t COLS>
using Block = std::array<std::array<float, COLS>, ROWS>;

// F(4x4, 3x3) of Lavin and Gray, "Fast algorithms for convolutional neural networks" (2016).
constexpr Block<6, 6> of_pixels{{{4, 0, -5, 0, 1, 0},
                                 {0, -4, -4, 1, 1, 0},
                                 {0, 4, -4, -1, 1, 0},
                                 {0, -2, -1, 2, 1, 0},
                                 {0, 2, -1, -2, 1, 0},
                                 {0, 4, 0, -5, 0, 1}}};
constexpr Block<6, 3> of_weights{{{1 / 4.0F, 0, 0},
                                  {-1 / 6.0F, -1 / 6.0F, -1 / 6.0F},
                                  {-1 / 6.0F, 1 / 6.0F, -1 / 6.0F},
                                  {1 / 24.0F, 1 / 12.0F, 1 / 6.0F},
                                  {1 / 24.0F, -1 / 12.0F, 1 / 6.0F},
                                  {0, 0, 1}}};
constexpr Block<4, 6> of_results{{{1, 1, 1, 1, 1, 0}, {0, 1, -1, 2, -2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, -1, 8, -8, 1}}};

/// m x m^T
template <size_t R, size_t C>
Block<R, R> transformed(const Block<R, C>& m, const Block<C, C>& x) {
  Block<R, C> half{};
  Block<R, R> whole{};
  for (size_t i = 0; i < R; ++i)
    for (size_t j = 0; j < C; ++j)
      for (size_t k = 0; k < C; ++k) half[i][j] += m[i][k] * x[k][j];
  for (size_t i = 0; i < R; ++i)
    for (size_t j = 0; j < R; ++j)
      for (size_t k = 0; k < C; ++k) whole[i][j] += half[i][k] * m[j][k];
  return whole;
}

void winograd(ConvRun& run) {
  const Shape& s = run.conv().shape();
  const auto input = run.of<float>(0), filter = run.of<float>(1), output = run.of<float>(2);
  const int64_t high = run.conv().rows().outputs, wide = run.conv().columns().outputs;
  for (int64_t plane = 0; plane < s.batch * s.filters; ++plane)
    for (int64_t top = 0; top < high; top += 4)
      for (int64_t left = 0; left < wide; left += 4) {
        Block<6, 6> sum{};
        for (int64_t c = 0; c < s.channels; ++c) {
          Block<6, 6> pixels{};
          for (int64_t y = 0; y < 6; ++y)
            for (int64_t x = 0; x < 6; ++x) {
              const int64_t row = top + y - s.padding, col = left + x - s.padding;
              if (row >= 0 && row < s.height && col >= 0 && col < s.width)
                pixels[y][x] = input.at((plane / s.filters * s.channels + c) * s.height + row, col);
            }
          Block<3, 3> weights{};
          for (int64_t y = 0; y < 3; ++y)
            for (int64_t x = 0; x < 3; ++x)
              weights[y][x] = filter.at((plane % s.filters * s.channels + c) * 3 + y, x);
          const auto p = transformed(of_pixels, pixels), w = transformed(of_weights, weights);
          for (size_t y = 0; y < 6; ++y)
            for (size_t x = 0; x < 6; ++x) sum[y][x] += p[y][x] * w[y][x];
        }
        const auto results = transformed(of_results, sum);
        for (int64_t y = 0; y < 4 && top + y < high; ++y)
          for (int64_t x = 0; x < 4 && left + x < wide; ++x) output.at(plane * high + top + y, left + x) = results[y][x];
      }
}

const Precision normwise{.name = "normwise", .normwise = true};

TEST(Winograd, IsAcceptedOnEveryShape) {
  int shapes = 0;
  for (const ProblemPtr& problem : kernel().check_problems(Dtype::f32, {}, {}))
    for (const Fill fill : both_fills)
      for (uint64_t seed = 0; seed < 20; ++seed) {
        ConvRun run(problem, fill, seed);
        const Shape& s = run.conv().shape();
        if (s.filter_height != 3 || s.filter_width != 3 || s.stride != 1) continue;
        ++shapes;
        winograd(run);
        const CheckResult v = run.cells(normwise);
        EXPECT_TRUE(v.right) << problem->label() << " seed " << seed << ": " << v.message;
      }
  EXPECT_GE(shapes, 100);
}

// Of nine weights one meets the image, by chance a small one: the transform rounds sums of all nine.
TEST(Winograd, IsAcceptedWhereMostOfTheFilterLiesBeyondTheImage) {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    ConvRun run(Dtype::f32, {{"size", int64_t{1}}, {"padding", int64_t{1}}}, Fill::integers, seed);
    winograd(run);
    const CheckResult v = run.cells(normwise);
    EXPECT_TRUE(v.right) << "seed " << seed << ": " << v.message;
  }
}

TEST(Winograd, IsNoExcuse) {
  for (const Fill fill : both_fills) {
    ConvRun run(Dtype::f32, lab(40), fill);
    winograd(run);
    EXPECT_TRUE(run.cells(normwise).right) << run.cells(normwise).message;
    EXPECT_FALSE(run.cells().right);
    for (const char* mistake : {"last_tap_dropped", "half_accumulation", "padding_ignored"}) {
      run.compute(wrong(Dtype::f32, mistake));
      EXPECT_FALSE(run.cells(normwise).right) << mistake;
    }
  }
}

}  // namespace
}  // namespace harness::conv2d
