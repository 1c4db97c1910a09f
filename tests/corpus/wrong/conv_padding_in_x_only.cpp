// Subtracts the padding from x only.
// Caught as: WRONG
// Says: is as if y had no padding: is the padding subtracted only from x, or is the row that is read 1 too large?
#include "lab/conv2d.h"

LAB_CONV2D_CPU(float)(const lab::Conv2d<float>& c) {
  for (int64_t b = 0; b < c.batch; ++b)
    for (int64_t f = 0; f < c.filters; ++f)
      for (int64_t y = 0; y < c.out_height; ++y)
        for (int64_t x = 0; x < c.out_width; ++x) {
          float sum = 0;
          for (int64_t ch = 0; ch < c.channels; ++ch)
            for (int64_t r = 0; r < c.filter_height; ++r)
              for (int64_t s = 0; s < c.filter_width; ++s) {
                const int64_t v = y * c.stride + r, u = x * c.stride + s - c.padding;
                if (v < 0 || v >= c.height || u < 0 || u >= c.width) continue;
                sum += c.input[((b * c.channels + ch) * c.height + v) * c.width + u] *
                       c.filter[((f * c.channels + ch) * c.filter_height + r) * c.filter_width + s];
              }
          c.output[((b * c.filters + f) * c.out_height + y) * c.out_width + x] = sum;
        }
}
