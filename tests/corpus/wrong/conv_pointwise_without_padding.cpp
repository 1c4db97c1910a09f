// Takes a filter of one element for a product of matrices, and forgets that the image may have a border.
// Caught as: WRONG, OUT_OF_BOUNDS
#include "lab/conv2d.h"

static void pointwise(const lab::Conv2d<float>& c) {
  const int64_t pixels = c.height * c.width;
  for (int64_t b = 0; b < c.batch; ++b)
    for (int64_t f = 0; f < c.filters; ++f)
      for (int64_t q = 0; q < pixels; ++q) {
        float sum = 0;
        for (int64_t h = 0; h < c.channels; ++h) sum += c.filter[f * c.channels + h] * c.input[(b * c.channels + h) * pixels + q];
        c.output[(b * c.filters + f) * pixels + q] = sum;
      }
}

LAB_CONV2D_CPU(float)(const lab::Conv2d<float>& c) {
  if (c.filter_height == 1 && c.filter_width == 1 && c.stride == 1) return pointwise(c);
  for (int64_t b = 0; b < c.batch; ++b)
    for (int64_t f = 0; f < c.filters; ++f)
      for (int64_t y = 0; y < c.out_height; ++y)
        for (int64_t x = 0; x < c.out_width; ++x) {
          float sum = 0;
          for (int64_t ch = 0; ch < c.channels; ++ch)
            for (int64_t r = 0; r < c.filter_height; ++r)
              for (int64_t s = 0; s < c.filter_width; ++s) {
                const int64_t v = y * c.stride + r - c.padding, u = x * c.stride + s - c.padding;
                if (v < 0 || v >= c.height || u < 0 || u >= c.width) continue;
                sum += c.input[((b * c.channels + ch) * c.height + v) * c.width + u] *
                       c.filter[((f * c.channels + ch) * c.filter_height + r) * c.filter_width + s];
              }
          c.output[((b * c.filters + f) * c.out_height + y) * c.out_width + x] = sum;
        }
}
