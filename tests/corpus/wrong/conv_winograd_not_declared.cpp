// Winograd's F(2, 3) along rows, without LAB_PRECISION(normwise): 4 products for two results, where the definition has 6. It sums
// neighbours first, so where a result needs small products only, its error is that of large ones.
// Caught as: WRONG
#include "lab/conv2d.h"

LAB_CONV2D_CPU(float)(const lab::Conv2d<float>& c) {
  const bool winograd = c.filter_width == 3 && c.stride == 1 && c.out_width >= 32;
  for (int64_t i = 0; i < c.batch * c.filters * c.out_height; ++i) {
    const int64_t image = i / (c.filters * c.out_height) * c.channels, of_filter = i / c.out_height % c.filters * c.channels;
    for (int64_t left = 0; left < c.out_width; left += 2) {
      float first = 0, second = 0;
      for (int64_t tap = 0; tap < c.channels * c.filter_height; ++tap) {
        const int64_t channel = tap / c.filter_height, r = tap % c.filter_height, row = i % c.out_height * c.stride + r - c.padding;
        if (row < 0 || row >= c.height) continue;
        const float* const weight = c.filter + ((of_filter + channel) * c.filter_height + r) * c.filter_width;
        const auto pixel = [&](int64_t x) { return x < 0 || x >= c.width ? 0 : c.input[((image + channel) * c.height + row) * c.width + x]; };
        if (winograd) {
          const int64_t x = left - c.padding;
          const float sum = weight[0] + weight[2], a = (pixel(x) - pixel(x + 2)) * weight[0],
                      b = (pixel(x + 1) + pixel(x + 2)) * ((sum + weight[1]) / 2), d = (pixel(x + 2) - pixel(x + 1)) * ((sum - weight[1]) / 2),
                      e = (pixel(x + 1) - pixel(x + 3)) * weight[2];
          first += a + b + d, second += b - d - e;
        } else {
          for (int64_t s = 0; s < c.filter_width; ++s) {
            first += weight[s] * pixel(left * c.stride + s - c.padding);
            second += weight[s] * pixel((left + 1) * c.stride + s - c.padding);
          }
        }
      }
      c.output[i * c.out_width + left] = first;
      if (left + 1 < c.out_width) c.output[i * c.out_width + left + 1] = second;
    }
  }
}
