// One element of the filter after another, from the last to the first: each adds a shifted image to the output.
#include "lab/conv2d.h"

LAB_CONV2D_CPU(float)(const lab::Conv2d<float>& c) {
  const int64_t cells = c.batch * c.filters * c.out_height * c.out_width;
  for (int64_t i = 0; i < cells; ++i) c.output[i] = 0;
  for (int64_t ch = c.channels - 1; ch >= 0; --ch)
    for (int64_t r = c.filter_height - 1; r >= 0; --r)
      for (int64_t s = c.filter_width - 1; s >= 0; --s)
        for (int64_t i = 0; i < cells; ++i) {
          const int64_t x = i % c.out_width * c.stride + s - c.padding;
          const int64_t y = i / c.out_width % c.out_height * c.stride + r - c.padding;
          if (x < 0 || x >= c.width || y < 0 || y >= c.height) continue;
          const int64_t f = i / c.out_width / c.out_height % c.filters, b = i / c.out_width / c.out_height / c.filters;
          c.output[i] += c.input[((b * c.channels + ch) * c.height + y) * c.width + x] *
                         c.filter[((f * c.channels + ch) * c.filter_height + r) * c.filter_width + s];
        }
}
