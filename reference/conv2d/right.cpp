// Right kernels in the problem's own type. Each adds up in another order, and the check must accept all of
// them.
#include <algorithm>

#include "reference/conv2d/problem.h"

namespace harness::conv2d {

namespace {

using lab::Sum;

/// Products of one cell in the order of a row of the unfolded image: channel, row, column of the filter.
template <class T>
std::vector<Sum<T>> products(const lab::Conv2d<T>& c, const OutputPixel& p) {
  std::vector<Sum<T>> all;
  for (int64_t i = 0; i < c.channels; ++i)
    for (int64_t r = 0; r < c.filter_height; ++r)
      for (int64_t s = 0; s < c.filter_width; ++s) {
        const int64_t y = p.y * c.stride + r - c.padding, x = p.x * c.stride + s - c.padding;
        const bool inside = y >= 0 && y < c.height && x >= 0 && x < c.width;
        const Sum<T> pixel = inside ? Sum<T>(c.input[((p.image * c.channels + i) * c.height + y) * c.width + x]) : Sum<T>(0);
        all.push_back(pixel *
                      c.filter[((p.filter * c.channels + i) * c.filter_height + r) * c.filter_width + s]);
      }
  return all;
}

template <class T>
Sum<T> sequential(const lab::Conv2d<T>&, const std::vector<Sum<T>>& products) {
  Sum<T> sum = 0;
  for (const Sum<T> x : products) sum += x;
  return sum;
}

template <class T>
Sum<T> reversed(const lab::Conv2d<T>&, const std::vector<Sum<T>>& products) {
  Sum<T> sum = 0;
  for (auto x = products.rbegin(); x != products.rend(); ++x) sum += *x;
  return sum;
}

/// Like a kernel that adds all channels of one tap before the next tap.
template <class T>
Sum<T> channels_inside(const lab::Conv2d<T>& c, const std::vector<Sum<T>>& products) {
  const auto taps = static_cast<size_t>(c.filter_height * c.filter_width);
  Sum<T> sum = 0;
  for (size_t tap = 0; tap < taps; ++tap)
    for (size_t at = tap; at < products.size(); at += taps) sum += products[at];
  return sum;
}

/// Like a kernel with one sum per channel.
template <class T>
Sum<T> sum_of_channels(const lab::Conv2d<T>& c, const std::vector<Sum<T>>& products) {
  const auto taps = static_cast<size_t>(c.filter_height * c.filter_width);
  Sum<T> sum = 0;
  for (size_t first = 0; first < products.size(); first += taps) {
    Sum<T> channel = 0;
    for (size_t tap = 0; tap < taps; ++tap) channel += products[first + tap];
    sum += channel;
  }
  return sum;
}

/// Like a blocked matrix product with the unfolded image.
template <class T>
Sum<T> blocks_of_8(const lab::Conv2d<T>&, const std::vector<Sum<T>>& products) {
  Sum<T> sum = 0;
  for (size_t first = 0; first < products.size(); first += 8) {
    Sum<T> block = 0;
    for (size_t i = first; i < std::min(first + 8, products.size()); ++i) block += products[i];
    sum += block;
  }
  return sum;
}

template <class T>
RightKernel kernel(std::string name, Sum<T> (*add_up)(const lab::Conv2d<T>&, const std::vector<Sum<T>>&)) {
  return {std::move(name), [add_up](const Problem& problem, const HostBuffers& buffers) {
            void* const raw[] = {buffers[0], buffers[1], buffers[2]};
            const auto c = lab::unpack_conv2d<T>(problem.blob().data(), raw, nullptr);
            const BufferSpec& out = problem.output();
            for (int64_t i = 0; i < out.rows; ++i)
              for (int64_t j = 0; j < out.cols; ++j)
                c.output[i * out.cols + j] =
                    add_up(c, products(c, static_cast<const Conv2d&>(problem).output_pixel({i, j})));
          }};
}

}  // namespace

std::vector<RightKernel> right_kernels(Dtype dtype) {
  return with_type(dtype, [](auto type) -> std::vector<RightKernel> {
    using T = decltype(type);
    return {kernel<T>("sequential", sequential), kernel<T>("reversed", reversed),
            kernel<T>("channels_inside", channels_inside), kernel<T>("sum_of_channels", sum_of_channels),
            kernel<T>("blocks_of_8", blocks_of_8)};
  });
}

}  // namespace harness::conv2d
