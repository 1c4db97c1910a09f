// The check and this kernel together: honest kernels pass, wrong ones do not, both ways.
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "reference/conv2d/run_for_test.h"

namespace harness::conv2d {
namespace {

TEST(Conv2dCheck, RejectsEveryWrongKernelAndNoHonestOne) {
  for (const Dtype t : all_dtypes)
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      const SelfTest result = self_test(kernel(), t, seed);
      EXPECT_GE(result.rows.size(), 25u);
      EXPECT_TRUE(result.accepts_reference) << result.refused;
      for (const SelfTest::Row& row : result.rows) EXPECT_TRUE(row.rejected) << row.name << " seed " << seed;
    }
}

// Some rows and columns of images and filters are small, so a few products decide about a sum.
TEST(Conv2dCheck, HonestOrdersPassWithFewLargeProducts) {
  for (const Dtype t : all_dtypes)
    for (const int64_t filter : {1, 2, 3, 5, 6, 11})
      for (const auto& [channels, filters] : {std::pair<int64_t, int64_t>{1, 1}, {3, 8}, {48, 2}})
        for (uint64_t seed = 1; seed <= 3; ++seed) {
          ConvRun run(t, {{"size", int64_t{24}}, {"filter", filter}, {"padding", filter / 2}, {"channels", channels}, {"filters", filters}}, Fill::reals, seed);
          for (const RightKernel& kernel : kernel().right_kernels(t)) {
            run.compute(kernel);
            const CheckResult cells = check_some_cells(*run.problem, Fill::reals, run.inputs, run.buffers.back(), {}, {0, 1, 5, 6, 20}, {0, 3, 4, 11, 22});
            EXPECT_TRUE(cells.right) << run.problem->label() << " " << kernel.name << " " << seed << ": " << cells.message;
            EXPECT_TRUE(run.projection().right) << run.problem->label() << " " << kernel.name << " " << seed;
          }
        }
}

// Winograd's algorithm, with larger filters too, mixes neighbours of different sizes.
TEST(Conv2dCheck, RowsOfFiltersDifferInSize) {
  for (const int64_t edge : {3, 5, 7, 11}) {
    ConvRun run(Dtype::f32, {{"size", int64_t{24}}, {"filter", edge}, {"filters", int64_t{16}}}, Fill::reals);
    int filters = 0;
    for (int64_t filter = 0; filter < 16; ++filter) {
      std::vector<double> largest(static_cast<size_t>(edge));
      for (int64_t y = 0; y < edge; ++y)
        for (int64_t x = 0; x < edge; ++x)
          largest[static_cast<size_t>(y)] = std::max(largest[static_cast<size_t>(y)], std::abs(double{run.of<float>(1).at(filter * edge + y, x)}));
      const auto [smallest, largest_row] = std::ranges::minmax(largest);
      filters += largest_row > 50 * smallest;
    }
    EXPECT_GE(filters, 4) << edge;
  }
}

TEST(Conv2dShapes, ReducedOnesStillReadTheImage) {
  const auto given = *kernel().problem(Dtype::f32, {{"size", int64_t{16}}, {"filter", int64_t{1}}, {"stride", int64_t{3}}, {"padding", int64_t{4}}});
  const ProblemPtr small = kernel().reduced(*given, 1e6, 100);  // an image of 2 x 2, between two positions of the filter
  ASSERT_NE(small, nullptr);
  EXPECT_FALSE(steps_over_image(static_cast<const Conv2d&>(*small).shape())) << small->label();
}

TEST(Conv2dCheck, DeclaredTf32IsCheckedAsSuch) {
  const Precision tf32{.name = "tf32", .u_in = 0x1p-11};
  for (const Fill fill : both_fills) {
    ConvRun run(Dtype::f32, mixed, fill);
    run.compute(wrong(Dtype::f32, "tf32_inputs"));
    EXPECT_TRUE(run.cells(tf32).right) << run.cells(tf32).message;
    EXPECT_TRUE(run.projection(tf32).right);
    run.compute(wrong(Dtype::f32, "last_tap_dropped"));
    EXPECT_FALSE(run.cells(tf32).right);
    EXPECT_FALSE(run.projection(tf32).right);
  }
}

TEST(Conv2dCheck, NothingIsWeak) {
  for (const ProblemPtr& problem : kernel().check_problems(Dtype::f32, {}, {}))
    for (const Fill fill : both_fills)
      for (uint64_t seed = 0; seed < 20; ++seed) {
        ConvRun run(problem, fill, seed);
        const CheckResult v = run.compute(right(Dtype::f32)).cells();
        EXPECT_TRUE(v.right && !v.weak) << problem->label() << " " << seed;
      }
}

std::vector<Shape> shapes(const Axes& macros = {}) {
  std::vector<Shape> all;
  for (const ProblemPtr& p : kernel().check_problems(Dtype::f32, macros, {}))
    all.push_back(static_cast<const Conv2d&>(*p).shape());
  return all;
}

template <class F>
bool any(const std::vector<Shape>& all, F f) {
  return std::any_of(all.begin(), all.end(), f);
}

TEST(Conv2dShapes, CoverWhatKernelsGetWrong) {
  const auto all = shapes();
  for (int64_t n = 1; n <= 3; ++n) EXPECT_TRUE(any(all, [=](const Shape& s) { return s.stride == n; })) << n;
  for (int64_t n = 0; n <= 2; ++n) EXPECT_TRUE(any(all, [=](const Shape& s) { return s.padding == n; })) << n;
  EXPECT_TRUE(any(all, [](const Shape& s) { return s.height == 1 && s.width == 1; }));
  EXPECT_TRUE(
      any(all, [](const Shape& s) { return s.filter_height == 1 && s.filter_width == 1 && s.width > 1; }));
  EXPECT_TRUE(any(all, [](const Shape& s) { return s.filter_height % 2 == 0; }));
  EXPECT_TRUE(any(all, [](const Shape& s) { return s.filter_height != s.filter_width; }));
  EXPECT_TRUE(any(all, [](const Shape& s) { return s.height != s.width && s.channels > 1; }));
  EXPECT_TRUE(any(all, [](const Shape& s) { return s.batch > 1 && s.filters > 1 && s.channels > 1; }));
  for (int64_t n = 1; n <= 3; ++n)
    EXPECT_TRUE(any(all, [=](const Shape& s) { return s.stride == n && s.width > 128; })) << n;
  EXPECT_TRUE(any(all, [](const Shape& s) { return s.channels == 3 && s.filters == 1 && s.padding == 1; }));
  for (const int64_t block : {16, 32, 64})  // a fast path for whole blocks
    EXPECT_TRUE(any(all, [=](const Shape& s) { return s.channels % block == 0 && s.filters % block == 0; })) << block;
  EXPECT_TRUE(any(all, [](const Shape& s) { return s.batch % 4 == 0; }));
  EXPECT_TRUE(any(all, [](const Shape& s) { return s.filter_height > s.filter_width && s.stride > 1 && s.channels > 1 && s.batch > 1; }));
}

TEST(Conv2dShapes, HaveTheEdgesOfTheBuildsTiles) {
  const auto wide = [](int64_t width) { return [=](const Shape& s) { return s.width == width; }; };
  const auto all = shapes({{"TILE", int64_t{24}}});
  EXPECT_TRUE(any(all, wide(25)));
  EXPECT_TRUE(any(all, [](const Shape& s) { return s.height == 23; }));
  EXPECT_TRUE(any(all, wide(47)));
  EXPECT_FALSE(any(all, [](const Shape& s) { return s.width == 33; }))
      << "the usual tiles are for builds without";
  EXPECT_TRUE(any(shapes(), wide(33)));
}

TEST(Conv2dShapes, AreSmallAndDifferent) {
  for (const Axes& macros :
       {Axes{}, Axes{{"TILE", int64_t{128}}}, Axes{{"A", int64_t{2}}, {"B", int64_t{64}}}}) {
    std::set<std::string> labels;
    const auto problems = kernel().check_problems(Dtype::f32, macros, {});
    EXPECT_LE(problems.size(), 68u);
    for (const ProblemPtr& p : problems) {
      labels.insert(p->label());
      EXPECT_LE(p->flops(), 4e6) << p->label();
      EXPECT_TRUE(p->exact_possible(unit_roundoff(Dtype::f32), 0)) << p->label();
      Axes own = p->parameters();
      std::erase_if(own, [](const auto& a) { return a.first == "size" || a.first == "filter"; });
      const auto made = kernel().problem(Dtype::f32, own);
      EXPECT_TRUE(made) << made.error().message;
    }
    EXPECT_EQ(labels.size(), problems.size());
  }
}

TEST(Conv2dShapes, DrawnOnesAreSmallAndNeverAllPadding) {
  std::set<std::string> labels;
  for (uint64_t seed = 0; seed < 50; ++seed)
    for (const ProblemPtr& p : kernel().drawn_problems(Dtype::f32, {}, seed, 20)) {
      const Shape& s = static_cast<const Conv2d&>(*p).shape();
      labels.insert(p->label());
      EXPECT_LE(p->flops(), 1e6) << p->label();
      EXPECT_LE(s.padding, 2 * std::min(s.filter_height, s.filter_width)) << p->label();
      EXPECT_GE(s.height + 2 * s.padding, s.filter_height) << p->label();
      EXPECT_GE(s.width + 2 * s.padding, s.filter_width) << p->label();
    }
  EXPECT_GT(labels.size(), 900u);
}

TEST(Conv2dShapes, NeighboursAreValidAndHaveOtherRemainders) {
  const Axes own = {{"size", int64_t{28}}, {"channels", int64_t{64}}, {"filters", int64_t{64}}, {"padding", int64_t{1}}};
  std::set<std::pair<int64_t, int64_t>> filters;
  std::set<int64_t> strides;
  for (const Axes& axes : {own, Axes{{"height", int64_t{3}}, {"width", int64_t{64}}}, Axes{{"size", int64_t{3}}, {"padding", int64_t{1}}}})
    for (uint64_t seed = 0; seed < 200; ++seed) {
      const ProblemPtr problem = *kernel().problem(Dtype::f32, axes);
      for (const ProblemPtr& p : kernel().neighbours(*problem, seed, 4)) {
        const Shape& s = static_cast<const Conv2d&>(*p).shape();
        EXPECT_TRUE(0 < s.channels && 0 < s.filters) << p->label();
        EXPECT_FALSE(steps_over_image(s)) << p->label();
        filters.emplace(s.filter_height, s.filter_width);
        strides.insert(s.stride);
        EXPECT_LE(p->flops(), 12 * problem->flops() + 1e5) << p->label();  // padding adds many rows to a small one
        EXPECT_GE(s.height + 2 * s.padding, s.filter_height) << p->label();
        EXPECT_GE(s.width + 2 * s.padding, s.filter_width) << p->label();
      }
    }
  EXPECT_GT(filters.size(), 20u) << "of 25, though the cases have one";
  EXPECT_EQ(strides, std::set<int64_t>({1, 2, 3, 4, 5}));
  const auto odd = kernel().neighbours(**kernel().problem(Dtype::f32, own), 1, 1);
  const Shape& s = static_cast<const Conv2d&>(*odd.at(0)).shape();
  EXPECT_TRUE(s.channels % 2 == 1 && s.filters % 2 == 1 && s.height % 2 == 1 && s.width % 2 == 1) << odd[0]->label();
}

}  // namespace
}  // namespace harness::conv2d
