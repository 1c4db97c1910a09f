// Takes blocks of 16 channels, all but the first of them from the first image.
// Caught as: WRONG
#include "lab/conv2d.h"

LAB_CONV2D_CPU(float)(const lab::Conv2d<float>& c) {
  for (int64_t b = 0; b < c.batch; ++b)
    for (int64_t f = 0; f < c.filters; ++f)
      for (int64_t y = 0; y < c.out_height; ++y)
        for (int64_t x = 0; x < c.out_width; ++x) {
          float sum = 0;
          for (int64_t ch = 0; ch < c.channels; ++ch) {
            const int64_t image = ch < 16 ? b : 0;
            for (int64_t r = 0; r < c.filter_height; ++r)
              for (int64_t s = 0; s < c.filter_width; ++s) {
                const int64_t iy = y * c.stride + r - c.padding, ix = x * c.stride + s - c.padding;
                if (iy < 0 || iy >= c.height || ix < 0 || ix >= c.width) continue;
                sum += c.input[((image * c.channels + ch) * c.height + iy) * c.width + ix] *
                       c.filter[((f * c.channels + ch) * c.filter_height + r) * c.filter_width + s];
              }
          }
          c.output[((b * c.filters + f) * c.out_height + y) * c.out_width + x] = sum;
        }
}
