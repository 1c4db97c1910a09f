// A fast path for images of whole tiles of 64 reads the first image of the batch only.
// Caught as: WRONG
#include "lab/conv2d.h"

LAB_CONV2D_CPU(float)(const lab::Conv2d<float>& c) {
  const bool whole = c.height % 64 == 0 && c.width % 64 == 0;
  for (int64_t b = 0; b < c.batch; ++b)
    for (int64_t f = 0; f < c.filters; ++f)
      for (int64_t y = 0; y < c.out_height; ++y)
        for (int64_t x = 0; x < c.out_width; ++x) {
          float sum = 0;
          for (int64_t i = 0; i < c.channels; ++i)
            for (int64_t r = 0; r < c.filter_height; ++r)
              for (int64_t s = 0; s < c.filter_width; ++s) {
                const int64_t line = y * c.stride + r - c.padding, column = x * c.stride + s - c.padding;
                if (line < 0 || line >= c.height || column < 0 || column >= c.width) continue;
                sum += c.input[(((whole ? 0 : b) * c.channels + i) * c.height + line) * c.width + column] *
                       c.filter[((f * c.channels + i) * c.filter_height + r) * c.filter_width + s];
              }
          c.output[((b * c.filters + f) * c.out_height + y) * c.out_width + x] = sum;
        }
}
