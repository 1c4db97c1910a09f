// A fast path for rows of whole vectors computes two filters at a time, and forgets that their number may be odd.
// Caught as: WRONG
#include "lab/conv2d.h"

LAB_CONV2D_CPU(float)(const lab::Conv2d<float>& c) {
  const bool fast = c.filter_height == 3 && c.filter_width == 3 && c.stride == 1 && c.padding == 1 && c.width % 16 == 0;
  const int64_t filters = fast ? c.filters / 2 * 2 : c.filters;
  for (int64_t b = 0; b < c.batch; ++b)
    for (int64_t f = 0; f < filters; ++f)
      for (int64_t y = 0; y < c.out_height; ++y)
        for (int64_t x = 0; x < c.out_width; ++x) {
          float sum = 0;
          for (int64_t i = 0; i < c.channels; ++i)
            for (int64_t r = 0; r < c.filter_height; ++r)
              for (int64_t s = 0; s < c.filter_width; ++s) {
                const int64_t row = y * c.stride + r - c.padding, col = x * c.stride + s - c.padding;
                if (row < 0 || row >= c.height || col < 0 || col >= c.width) continue;
                sum += c.input[((b * c.channels + i) * c.height + row) * c.width + col] *
                       c.filter[((f * c.channels + i) * c.filter_height + r) * c.filter_width + s];
              }
          c.output[((b * c.filters + f) * c.out_height + y) * c.out_width + x] = sum;
        }
}
