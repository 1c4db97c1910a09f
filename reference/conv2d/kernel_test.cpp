#include <gtest/gtest.h>

#include "reference/conv2d/run_for_test.h"

namespace harness::conv2d {
namespace {

std::string error_of(const Axes& parameters) {
  const auto problem = kernel().problem(Dtype::f32, parameters);
  return problem ? "no error: " + (*problem)->label() : problem.error().message;
}

std::string error_of_square(const Axes& more) { return error_of(with({{"size", int64_t{8}}}, more)); }

TEST(Conv2dKernel, RegistersItself) {
  ASSERT_NE(find_kernel("conv2d"), nullptr);
  EXPECT_EQ(kernel().name(), "conv2d");
  std::string names;
  for (const Parameter& p : kernel().parameters()) names += p.name + " ";
  EXPECT_EQ(names,
            "size height width batch channels filters filter filter_height filter_width stride padding ");
}

TEST(Conv2dKernel, SizeSetsBothEdgesAndTheRestHasDefaults) {
  const auto p = make(Dtype::f32, {{"size", int64_t{64}}});
  EXPECT_EQ(p->label(), "height=64 width=64 filter=3");
  EXPECT_EQ(to_string(p->parameters()),
            "size=64 filter=3 batch=1 channels=1 height=64 width=64 filters=1 filter_height=3 filter_width=3 "
            "stride=1 padding=0");
}

TEST(Conv2dKernel, LabelsShowWhatIsNotUsual) {
  EXPECT_EQ(
      make(Dtype::f64, mixed)->label(),
      "batch=2 channels=3 height=11 width=14 filters=4 filter_height=3 filter_width=5 stride=2 padding=2");
  EXPECT_EQ(make(Dtype::f64, lab(256, 3))->label(),
            "channels=3 height=256 width=256 filter=3 stride=3 padding=1");
}

TEST(Conv2dKernel, RejectsBadNumbers) {
  EXPECT_EQ(error_of({{"size", int64_t{0}}}), "size must be at least 1, not 0");
  EXPECT_EQ(error_of({{"size", 2.5}}), "size must be an integer, not 2.5");
  EXPECT_EQ(error_of({{"size", 1e20}}), "size must be at most 268435456, not 1e+20");
  EXPECT_EQ(error_of({{"size", -1e20}}), "size must be at least 1, not -1e+20");
  EXPECT_EQ(error_of({{"size", std::string("big")}}), "size must be an integer, not \"big\"");
  EXPECT_EQ(error_of({{"size", int64_t{1} << 40}}), "size must be at most 268435456, not 1099511627776");
  EXPECT_EQ(error_of_square({{"stride", int64_t{0}}}), "stride must be at least 1, not 0");
  EXPECT_EQ(error_of_square({{"stride", int64_t{-2}}}), "stride must be at least 1, not -2");
  EXPECT_EQ(error_of_square({{"padding", int64_t{-1}}}), "padding must be at least 0, not -1");
  EXPECT_EQ(error_of_square({{"channels", int64_t{0}}}), "channels must be at least 1, not 0");
  EXPECT_EQ(error_of_square({{"filter", int64_t{0}}}), "filter must be at least 1, not 0");
}

TEST(Conv2dKernel, RejectsFiltersLargerThanThePaddedImage) {
  EXPECT_EQ(error_of_square({{"filter", int64_t{9}}}),
            "filter_height must be at most height + 2 * padding = 8, not 9");
  EXPECT_EQ(
      error_of(
          {{"height", int64_t{9}}, {"width", int64_t{4}}, {"filter", int64_t{7}}, {"padding", int64_t{1}}}),
      "filter_width must be at most width + 2 * padding = 6, not 7");
  EXPECT_TRUE(make(Dtype::f32, {{"size", int64_t{8}}, {"filter", int64_t{8}}}));
}

TEST(Conv2dKernel, RejectsPositionsThatAllMissTheImage) {
  EXPECT_EQ(
      error_of(
          {{"size", int64_t{1}}, {"filter", int64_t{1}}, {"stride", int64_t{3}}, {"padding", int64_t{1}}}),
      "stride 3 and padding 1 step over the whole height of 1: the result is 0 whatever a kernel "
      "computes; choose a padding below filter_height");
}

TEST(Conv2dKernel, RejectsIncompleteOrDoubleEdges) {
  EXPECT_EQ(error_of({}), "conv2d needs size, or height and width: height, width are missing");
  EXPECT_EQ(error_of({{"height", int64_t{4}}}), "conv2d needs size, or height and width: width is missing");
  EXPECT_EQ(error_of_square({{"width", int64_t{4}}}),
            "size sets height and width: give either size or width");
  EXPECT_EQ(error_of_square({{"filter_width", int64_t{4}}}),
            "conv2d needs filter, or filter_height and filter_width: filter_height is missing");
  EXPECT_EQ(error_of_square({{"filter", int64_t{3}}, {"filter_height", int64_t{4}}}),
            "filter sets filter_height and filter_width: give either filter or filter_height");
}

TEST(Conv2dKernel, RejectsUnknownParametersAndHugeBuffers) {
  EXPECT_EQ(error_of({{"sice", int64_t{1}}}), "conv2d has no parameter \"sice\" (did you mean \"size\"?)");
  EXPECT_EQ(error_of({{"size", int64_t{1} << 28}}),
            "the input would have 7.21e+16 elements; at most 1.1e+12 are allowed");
}

TEST(Conv2d, HasTheOutputOfTheFormula) {
  const auto edges = [](int64_t size, int64_t filter, int64_t stride, int64_t padding) {
    return make(Dtype::f32, {{"size", size}, {"filter", filter}, {"stride", stride}, {"padding", padding}})
        ->output()
        .cols;
  };
  EXPECT_EQ(edges(256, 3, 1, 1), 256);
  EXPECT_EQ(edges(256, 3, 2, 1), 128);
  EXPECT_EQ(edges(256, 3, 3, 1), 86);
  EXPECT_EQ(edges(5, 5, 1, 0), 1);
  EXPECT_EQ(edges(7, 1, 3, 2), 4);
  const auto p = make(Dtype::f32, mixed);
  EXPECT_EQ(p->output().rows, 2 * 4 * 7);
  EXPECT_EQ(p->output().cols, 7);
  EXPECT_EQ(p->output().role, Role::output);
  EXPECT_EQ(p->buffers()[0].rows, 2 * 3 * 11);
  EXPECT_EQ(p->buffers()[1].rows, 4 * 3 * 3);
}

TEST(Conv2d, CountsArithmeticAndBytes) {
  const auto p = make(Dtype::f32, mixed);
  EXPECT_EQ(p->reduction_length(), 3 * 3 * 5);
  EXPECT_EQ(p->flops(), 2.0 * (2 * 4 * 7 * 7) * (3 * 3 * 5));
  EXPECT_EQ(p->bytes(), 4.0 * (2 * 3 * 11 * 14 + 4 * 3 * 3 * 5 + 2 * 4 * 7 * 7));
  EXPECT_EQ(make(Dtype::f32, lab(4096))->bytes(), 4.0 * (4 * 4096.0 * 4096.0 + 27));
  const auto valid = make(Dtype::f32, {{"size", int64_t{10}}, {"filter", int64_t{3}}});
  EXPECT_EQ(valid->least_flops(Algorithms::direct), valid->flops());
  EXPECT_EQ(valid->least_flops(Algorithms::transforming), valid->flops() / 9);
  const auto one = make(Dtype::f32, {{"size", int64_t{1}}, {"filter", int64_t{3}}, {"padding", int64_t{1}}});
  EXPECT_EQ(one->flops(), 18) << "as published figures count";
  EXPECT_EQ(one->least_flops(Algorithms::direct), 2) << "8 of the 9 taps lie outside of the image";
  EXPECT_EQ(one->least_flops(Algorithms::transforming), 2);
}

TEST(Conv2dKernel, ReducesAProblemInProportion) {
  const auto reduced = [](const Axes& axes, double flops) {
    return kernel().reduced(**kernel().problem(Dtype::f32, axes), flops, 1 << 30)->label();
  };
  EXPECT_EQ(reduced({{"size", int64_t{64}}}, 1e9), "height=64 width=64 filter=3");
  EXPECT_EQ(reduced({{"height", int64_t{1024}}, {"width", int64_t{512}}, {"channels", int64_t{3}}, {"batch", int64_t{4}}}, 4e6),
            "channels=3 height=256 width=128 filter=3");
}

/// Counted by a loop over all outputs and taps.
int64_t lines_met(const Edge& e) {
  std::vector<char> met(static_cast<size_t>(e.image));
  for (int64_t output = 0; output < e.outputs; ++output)
    for (int64_t tap = 0; tap < e.taps; ++tap)
      if (e.inside(e.under(output, tap))) met[static_cast<size_t>(e.under(output, tap))] = 1;
  return std::count(met.begin(), met.end(), 1);
}

TEST(Conv2dKernel, HasATypicalProblem) {
  for (const Dtype t : all_dtypes) {
    const ProblemPtr p = kernel().typical(t, {}).at(0);
    EXPECT_EQ(p->label(), "channels=3 height=128 width=128 filter=3 padding=1") << "as the lab has it";
    EXPECT_EQ(p->dtype(), t);
  }
}

TEST(Edge, KnowsWherePositionsAndImageMeet) {
  int64_t edges = 0;
  for (int64_t image = 1; image <= 9; ++image)
    for (int64_t taps = 1; taps <= 5; ++taps)
      for (int64_t stride = 1; stride <= 4; ++stride)
        for (int64_t padding = 0; padding <= 5; ++padding) {
          if (taps > image + 2 * padding) continue;
          const Edge e{image, taps, stride, padding, lab::output_edge(image, taps, stride, padding)};
          ++edges;
          for (int64_t tap = 0; tap < taps; ++tap)
            for (int64_t output = 0; output < e.outputs; ++output)
              ASSERT_EQ(e.inside(e.under(output, tap)),
                        output >= e.valid_outputs(tap).begin && output < e.valid_outputs(tap).end)
                  << image << " " << taps << " " << stride << " " << padding;
          ASSERT_EQ(e.lines_met(), lines_met(e)) << image << " " << taps << " " << stride << " " << padding;
        }
  EXPECT_GT(edges, 900);
}

TEST(Conv2d, KnowsWhereIntegersAreExact) {
  for (const Dtype t : {Dtype::f32, Dtype::f64})
    for (const int64_t channels : {1, 3, 64, 4096})
      EXPECT_TRUE(
          make(t, {{"size", int64_t{8}}, {"channels", channels}})->exact_possible(unit_roundoff(t), 0));
  const auto p = make(Dtype::f32, lab(64));
  EXPECT_TRUE(p->exact_possible(0x1p-24, 0x1p-11)) << "inputs are small enough for TF32";
  EXPECT_FALSE(p->exact_possible(0x1p-24, 0x1p-8)) << "but not for bfloat16";
  EXPECT_FALSE(p->exact_possible(0x1p-11, 0)) << "half sums";
}

}  // namespace
}  // namespace harness::conv2d
