#include <gtest/gtest.h>

#include <cmath>

#include "reference/conv2d/run_for_test.h"

namespace harness::conv2d {
namespace {

std::string explain(const char* name, const Axes& parameters, Dtype dtype = Dtype::f32,
                    Fill fill = Fill::reals) {
  ConvRun run(dtype, parameters, fill);
  run.compute(wrong(dtype, name));
  return run.problem->explain(run.inputs, run.buffers.back()).value_or("");
}

const Axes several = {{"batch", int64_t{2}},   {"channels", int64_t{3}}, {"size", int64_t{20}},
                      {"filters", int64_t{4}}, {"stride", int64_t{2}},   {"padding", int64_t{1}}};

TEST(Conv2dExplain, Filters) {
  EXPECT_EQ(explain("filter_flipped", several),
            "every cell is as if the filter were turned round: cross-correlation does not flip it");
  EXPECT_EQ(explain("filter_flipped", lab(64)),
            "every cell is as if the filter were turned round: cross-correlation does not flip it");
  EXPECT_EQ(explain("filter_transposed", several),
            "every cell is as if the filter were transposed: are its indices r and s swapped?");
  EXPECT_EQ(explain("first_filter_for_all", several),
            "every cell is computed with filter 0: is the index of the filter used?");
  EXPECT_EQ(explain("filter_planes_swapped", several),
            "every cell is as if the filters lay channel by channel: are the indices of filter and channel "
            "swapped?");
}

TEST(Conv2dExplain, ChannelsAndImages) {
  EXPECT_EQ(explain("channels_mixed", several),
            "every cell is as if the channels of the filter were in reverse order");
  EXPECT_EQ(
      explain("channel_0_for_all", several),
      "every cell is as if all channels had the filter of channel 0: is the channel used in its index?");
  EXPECT_EQ(explain("last_channel_dropped", several),
            "every cell lacks the last channel: does the loop over channels end too early?");
  EXPECT_EQ(explain("first_image_for_all", several),
            "every cell is computed from image 0 of the batch: is the index of the image used?");
}

TEST(Conv2dExplain, LocationsAndBorders) {
  EXPECT_EQ(explain("stride_ignored", several),
            "every cell is as if the stride were 1: is the stride ignored?");
  EXPECT_EQ(
      explain("padding_ignored", several),
      "every cell is as if the filter began at the corner of the image: is the padding not subtracted?");
  EXPECT_EQ(explain("image_transposed", several),
            "every cell is as if the image were transposed: are its indices y and x swapped?");
  EXPECT_EQ(explain("edge_repeated", several),
            "every cell is as if the pixels at the edge were repeated beyond it: padding is 0");
  EXPECT_EQ(explain("border_dropped", several),
            "every cell is right inside and 0 at the border: is the border left out?");
  EXPECT_EQ(explain("accumulated_twice", several),
            "every cell is twice the right result: is the sum added up twice?");
}

/// What is said about a convolution in which each filter begins `up` rows and `left` columns too early.
std::string explain_shift(int64_t stride, int64_t padding, int64_t up, int64_t left) {
  ConvRun run(Dtype::f32, {{"size", int64_t{20}}, {"stride", stride}, {"padding", padding}}, Fill::reals);
  const Conv2d& conv = run.conv();
  const auto input = run.of<float>(0), filter = run.of<float>(1), output = run.of<float>(2);
  for (int64_t y = 0; y < conv.output().rows; ++y)
    for (int64_t x = 0; x < conv.output().cols; ++x) {
      float sum = 0;
      for (int64_t r = 0; r < conv.shape().filter_height; ++r)
        for (int64_t s = 0; s < conv.shape().filter_width; ++s) {
          const int64_t line = conv.rows().under(y, r) - up, column = conv.columns().under(x, s) - left;
          if (conv.rows().inside(line) && conv.columns().inside(column))
            sum += input.at(line, column) * filter.at(r, s);
        }
      output.at(y, x) = sum;
    }
  return conv.explain(run.inputs, run.buffers.back()).value_or("");
}

TEST(Conv2dExplain, PaddingTimesTheStrideOrAllBefore) {
  EXPECT_EQ(explain_shift(1, 1, 1, 1),
            "every cell is as if all padding lay before the image: it is half before and half behind");
  EXPECT_EQ(explain_shift(2, 1, 1, 1),
            "every cell is as if all padding lay before the image: is it put there, or multiplied by the stride?")
      << "both give the same numbers";
  EXPECT_EQ(explain_shift(3, 1, 1, 1),
            "every cell is as if all padding lay before the image: it is half before and half behind");
  EXPECT_EQ(
      explain_shift(3, 1, 2, 2),
      "every cell is as if the padding were multiplied by the stride: is it subtracted after the multiplication?");
}

TEST(Conv2dExplain, PaddingOfOneDirection) {
  EXPECT_EQ(explain_shift(1, 2, -2, 0), "every cell is as if y had no padding: is the padding subtracted only from x?");
  EXPECT_EQ(explain_shift(1, 2, 0, -2), "every cell is as if x had no padding: is the padding subtracted only from y?");
  EXPECT_EQ(explain_shift(1, 1, -1, 0),
            "every cell is as if y had no padding: is the padding subtracted only from x, or is the row that is read 1 too large?");
  EXPECT_EQ(explain_shift(1, 1, 0, -1),
            "every cell is as if x had no padding: is the padding subtracted only from y, or is the column that is read 1 too large?");
}

TEST(Conv2dExplain, ShortFormats) {
  EXPECT_EQ(explain("tf32_inputs", several),
            "every cell is as if the inputs had 11 significant bits: are they rounded to TF32 or half?");
  EXPECT_EQ(explain("bfloat16_inputs", several),
            "every cell is as if the inputs had 8 significant bits: are they rounded to bfloat16?");
  EXPECT_EQ(explain("float_inputs", several, Dtype::f64),
            "every cell is as if the inputs had 24 significant bits: are they rounded to float?");
}

TEST(Conv2dExplain, WorksOnIntegers) {
  EXPECT_EQ(explain("stride_ignored", several, Dtype::f32, Fill::integers),
            "every cell is as if the stride were 1: is the stride ignored?");
}

TEST(Conv2dExplain, IsSilentWithoutAMatch) {
  for (const char* name : {"nothing_written", "all_nan", "last_row_not_written", "stale_tile"})
    EXPECT_EQ(explain(name, several), "") << name;
  ConvRun run(Dtype::f32, several, Fill::reals);
  run.compute(right(Dtype::f32));
  EXPECT_EQ(run.problem->explain(run.inputs, run.buffers.back()), std::nullopt)
      << "a right output is no mistake";
}

}  // namespace
}  // namespace harness::conv2d
