// Wrong kernels with typical mistakes. The check must reject every one.
#include <algorithm>
#include <limits>

#include "reference/common/rounding.h"
#include "reference/conv2d/problem.h"

namespace harness::conv2d {

namespace {

template <class T>
using C = lab::Conv2d<T>;
using lab::Sum;

/// Tile size of the kernels below that treat tile edges wrongly.
constexpr int64_t tile = 4;

/// Indices of one product: a mistake changes some of them.
struct Term {
  int64_t image, filter, image_channel, filter_channel, r, s, y, x;
};

/// 0 outside the image.
template <class T>
T pixel(const C<T>& c, const Term& t) {
  if (t.y < 0 || t.y >= c.height || t.x < 0 || t.x >= c.width) return 0;
  return c.input[((t.image * c.channels + t.image_channel) * c.height + t.y) * c.width + t.x];
}

template <class T>
T weight(const C<T>& c, const Term& t) {
  return c
      .filter[((t.filter * c.channels + t.filter_channel) * c.filter_height + t.r) * c.filter_width + t.s];
}

template <class T>
T& result(const C<T>& c, const OutputPixel& p) {
  return c.output[((p.image * c.filters + p.filter) * c.out_height + p.y) * c.out_width + p.x];
}

template <class T, class F>
void each_output(const C<T>& c, F f) {
  for (int64_t b = 0; b < c.batch; ++b)
    for (int64_t k = 0; k < c.filters; ++k)
      for (int64_t y = 0; y < c.out_height; ++y)
        for (int64_t x = 0; x < c.out_width; ++x) f(OutputPixel{b, k, y, x});
}

template <class T, class F>
void each_term(const C<T>& c, const OutputPixel& p, F f) {
  for (int64_t i = 0; i < c.channels; ++i)
    for (int64_t r = 0; r < c.filter_height; ++r)
      for (int64_t s = 0; s < c.filter_width; ++s)
        f(Term{p.image, p.filter, i, i, r, s, p.y * c.stride + r - c.padding,
               p.x * c.stride + s - c.padding});
}

template <class T>
Sum<T> right_sum(const C<T>& c, const OutputPixel& p) {
  Sum<T> sum = 0;
  each_term(c, p, [&](const Term& t) { sum += pixel(c, t) * weight(c, t); });
  return sum;
}

/// A kernel that is right except for its indices: `change` gets a Term& and the OutputPixel, and changes the
/// Term.
template <class T, class F>
void with_terms(const C<T>& c, F change) {
  each_output(c, [&](const OutputPixel& p) {
    Sum<T> sum = 0;
    each_term(c, p, [&](Term t) {
      change(t, p);
      sum += pixel(c, t) * weight(c, t);
    });
    result(c, p) = sum;
  });
}

/// A kernel that computes right values but writes only some output pixels.
template <class T, class F>
void where(const C<T>& c, F writes) {
  each_output(c, [&](const OutputPixel& p) {
    if (writes(p)) result(c, p) = right_sum(c, p);
  });
}

/// `step` computes the new sum from (pixel, weight, sum so far).
template <class T, class F>
void with_steps(const C<T>& c, F step) {
  each_output(c, [&](const OutputPixel& p) {
    double sum = 0;
    each_term(c, p, [&](const Term& t) {
      sum = step(static_cast<double>(pixel(c, t)), static_cast<double>(weight(c, t)), sum);
    });
    result(c, p) = static_cast<Sum<T>>(sum);
  });
}

template <class T>
void filter_flipped(const C<T>& c) {
  with_terms(c, [&](Term& t, const OutputPixel&) {
    t.r = c.filter_height - 1 - t.r;
    t.s = c.filter_width - 1 - t.s;
  });
}

template <class T>
void filter_transposed(const C<T>& c) {
  with_terms(c, [&](Term& t, const OutputPixel&) {  // as if it had filter_height columns
    const int64_t flat = t.s * c.filter_height + t.r;
    t.r = flat / c.filter_width;
    t.s = flat % c.filter_width;
  });
}

template <class T>
void first_filter_for_all(const C<T>& c) {
  with_terms(c, [](Term& t, const OutputPixel&) { t.filter = 0; });
}

template <class T>
void filter_planes_swapped(const C<T>& c) {
  with_terms(c, [&](Term& t, const OutputPixel&) {
    const int64_t plane = t.filter_channel * c.filters + t.filter;
    t.filter = plane / c.channels;
    t.filter_channel = plane % c.channels;
  });
}

template <class T>
void channels_mixed(const C<T>& c) {
  with_terms(c, [&](Term& t, const OutputPixel&) { t.filter_channel = c.channels - 1 - t.filter_channel; });
}

template <class T>
void channel_0_for_all(const C<T>& c) {
  with_terms(c, [](Term& t, const OutputPixel&) { t.filter_channel = 0; });
}

template <class T>
void last_channel_dropped(const C<T>& c) {
  with_terms(c, [&](Term& t, const OutputPixel&) {
    if (t.image_channel == c.channels - 1) t.y = -1;
  });
}

template <class T>
void last_tap_dropped(const C<T>& c) {
  with_terms(c, [&](Term& t, const OutputPixel&) {
    if (t.r == c.filter_height - 1 && t.s == c.filter_width - 1) t.y = -1;
  });
}

template <class T>
void first_image_for_all(const C<T>& c) {
  with_terms(c, [](Term& t, const OutputPixel&) { t.image = 0; });
}

template <class T>
void image_transposed(const C<T>& c) {
  with_terms(c, [](Term& t, const OutputPixel&) { std::swap(t.y, t.x); });
}

template <class T>
void stride_ignored(const C<T>& c) {
  with_terms(c, [&](Term& t, const OutputPixel& p) {
    t.y = p.y + t.r - c.padding;
    t.x = p.x + t.s - c.padding;
  });
}

template <class T>
void padding_ignored(const C<T>& c) {
  with_terms(c, [&](Term& t, const OutputPixel&) {
    t.y += c.padding;
    t.x += c.padding;
  });
}

template <class T>
void edge_repeated(const C<T>& c) {
  with_terms(c, [&](Term& t, const OutputPixel&) {
    t.y = std::clamp<int64_t>(t.y, 0, c.height - 1);
    t.x = std::clamp<int64_t>(t.x, 0, c.width - 1);
  });
}

/// No test for the left and right edge: the kernel reads pixels of the rows above and below there.
template <class T>
void rows_run_together(const C<T>& c) {
  with_terms(c, [&](Term& t, const OutputPixel&) {
    const int64_t flat = t.y * c.width + t.x;
    if (t.y < 0 || t.y >= c.height || flat < 0 || flat >= c.height * c.width) return;
    t.y = flat / c.width;
    t.x = flat % c.width;
  });
}

template <class T>
void border_dropped(const C<T>& c) {
  each_output(c, [&](const OutputPixel& p) {
    bool inside = true;
    each_term(c, p, [&](const Term& t) {
      inside = inside && t.y >= 0 && t.y < c.height && t.x >= 0 && t.x < c.width;
    });
    result(c, p) = inside ? right_sum(c, p) : Sum<T>(0);
  });
}

template <class T>
void last_row_not_written(const C<T>& c) {
  where(c, [&](const OutputPixel& p) { return p.y + 1 < c.out_height; });
}

template <class T>
void last_column_not_written(const C<T>& c) {
  where(c, [&](const OutputPixel& p) { return p.x + 1 < c.out_width; });
}

template <class T>
void tile_tails_not_written(const C<T>& c) {
  where(c, [&](const OutputPixel& p) {
    return p.y < c.out_height / tile * tile && p.x < c.out_width / tile * tile;
  });
}

template <class T>
void last_image_not_written(const C<T>& c) {
  where(c, [&](const OutputPixel& p) { return p.image == 0 || p.image + 1 < c.batch; });
}

template <class T>
void one_cell_zeroed(const C<T>& c) {
  where(c, [](const OutputPixel&) { return true; });
  result(c, {0, c.filters / 2, c.out_height / 2, c.out_width / 2}) = 0;
}

/// The effect of a missing barrier: some threads still see the tile of the previous channel.
template <class T>
void stale_tile(const C<T>& c) {
  with_terms(c, [](Term& t, const OutputPixel& p) {
    if (t.image_channel > 0 && (p.x + p.y) % 7 == 0) --t.image_channel;
  });
}

template <class T>
void accumulated_twice(const C<T>& c) {
  each_output(c, [&](const OutputPixel& p) { result(c, p) = right_sum(c, p) + right_sum(c, p); });
}

template <class T>
void added_to_output(const C<T>& c) {
  each_output(c, [&](const OutputPixel& p) { result(c, p) = result(c, p) + right_sum(c, p); });
}

template <class T>
void nothing_written(const C<T>&) {}

template <class T>
void all_zeros(const C<T>& c) {
  each_output(c, [&](const OutputPixel& p) { result(c, p) = 0; });
}

template <class T>
void all_nan(const C<T>& c) {
  each_output(c, [&](const OutputPixel& p) { result(c, p) = std::numeric_limits<Sum<T>>::quiet_NaN(); });
}

template <class T, int bits>
void rounded_inputs(const C<T>& c) {
  with_steps(c, [](double a, double b, double sum) {
    return static_cast<double>(static_cast<Sum<T>>(sum + rounded_to(a, bits) * rounded_to(b, bits)));
  });
}

template <class T, int bits>
void rounded_sums(const C<T>& c) {
  with_steps(c, [](double a, double b, double sum) { return rounded_to(sum + a * b, bits); });
}

template <class T>
WrongKernel kernel(std::string name, std::string mistake, void (*run)(const C<T>&)) {
  return {std::move(name), std::move(mistake), [run](const Problem& problem, const HostBuffers& buffers) {
            void* const raw[] = {buffers[0], buffers[1], buffers[2]};
            run(lab::unpack_conv2d<T>(problem.blob().data(), raw, nullptr));
          }};
}

template <class T>
std::vector<WrongKernel> list() {
  std::vector<WrongKernel> all = {
      kernel<T>("filter_flipped", "the filter is turned round", filter_flipped),
      kernel<T>("filter_transposed", "the filter is read as [s][r]", filter_transposed),
      kernel<T>("first_filter_for_all", "every filter is taken to be filter 0", first_filter_for_all),
      kernel<T>("filter_planes_swapped", "filters are read as [channel][filter]", filter_planes_swapped),
      kernel<T>("channels_mixed", "the channels of the filter are in reverse order", channels_mixed),
      kernel<T>("channel_0_for_all", "all channels use channel 0 of the filter", channel_0_for_all),
      kernel<T>("last_channel_dropped", "the last channel is missing", last_channel_dropped),
      kernel<T>("last_tap_dropped", "the last element of the filter is missing", last_tap_dropped),
      kernel<T>("first_image_for_all", "every image is taken to be image 0", first_image_for_all),
      kernel<T>("image_transposed", "the image is read as [x][y]", image_transposed),
      kernel<T>("stride_ignored", "the stride is taken to be 1", stride_ignored),
      kernel<T>("padding_ignored", "the filter begins at the corner of the image", padding_ignored),
      kernel<T>("edge_repeated", "beyond the image its edge goes on", edge_repeated),
      kernel<T>("rows_run_together", "left and right of the image other rows are read", rows_run_together),
      kernel<T>("border_dropped", "where the filter reaches beyond the image the result is 0",
                border_dropped),
      kernel<T>("last_row_not_written", "the last row of the output is not written", last_row_not_written),
      kernel<T>("last_column_not_written", "the last column of the output is not written",
                last_column_not_written),
      kernel<T>("tile_tails_not_written", "the last, incomplete tiles are not written",
                tile_tails_not_written),
      kernel<T>("last_image_not_written", "the last image of the batch is not written",
                last_image_not_written),
      kernel<T>("one_cell_zeroed", "one cell in the middle is 0", one_cell_zeroed),
      kernel<T>("stale_tile", "a barrier is missing: some threads use the tile of the channel before",
                stale_tile),
      kernel<T>("accumulated_twice", "the sum is added up twice", accumulated_twice),
      kernel<T>("added_to_output", "the sum is added to what the output held", added_to_output),
      kernel<T>("nothing_written", "the output is left as it was", nothing_written),
      kernel<T>("all_zeros", "every cell is 0", all_zeros),
      kernel<T>("all_nan", "every cell is NaN", all_nan),
  };
  if constexpr (sizeof(T) == 4) {
    all.push_back(kernel<T>("tf32_inputs", "inputs are rounded to TF32", rounded_inputs<T, tf32_bits>));
    all.push_back(
        kernel<T>("bfloat16_inputs", "inputs are rounded to bfloat16", rounded_inputs<T, bfloat16_bits>));
    all.push_back(
        kernel<T>("half_accumulation", "sums are kept in half precision", rounded_sums<T, half_bits>));
  } else if constexpr (sizeof(T) == 8) {
    all.push_back(kernel<T>("float_inputs", "inputs are rounded to float", rounded_inputs<T, float_bits>));
    all.push_back(kernel<T>("float_accumulation", "sums are kept in float", rounded_sums<T, float_bits>));
  }
  return all;
}

}  // namespace

std::vector<WrongKernel> wrong_kernels(Dtype dtype) {
  return with_type(dtype, [](auto type) { return list<decltype(type)>(); });
}

}  // namespace harness::conv2d
