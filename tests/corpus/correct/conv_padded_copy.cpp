// Copies each image into a frame of zeros first, so that no filter reaches beyond it.
#include <vector>

#include "lab/conv2d.h"

LAB_CONV2D_CPU(float)(const lab::Conv2d<float>& c) {
  const int64_t rows = c.height + 2 * c.padding, columns = c.width + 2 * c.padding;
  std::vector<float> frame(c.channels * rows * columns);
  for (int64_t b = 0; b < c.batch; ++b) {
    for (int64_t ch = 0; ch < c.channels; ++ch)
      for (int64_t y = 0; y < c.height; ++y)
        for (int64_t x = 0; x < c.width; ++x)
          frame[(ch * rows + y + c.padding) * columns + x + c.padding] =
              c.input[((b * c.channels + ch) * c.height + y) * c.width + x];
    for (int64_t f = 0; f < c.filters; ++f)
      for (int64_t y = 0; y < c.out_height; ++y)
        for (int64_t x = 0; x < c.out_width; ++x) {
          float sum = 0;
          for (int64_t ch = 0; ch < c.channels; ++ch)
            for (int64_t r = 0; r < c.filter_height; ++r)
              for (int64_t s = 0; s < c.filter_width; ++s)
                sum += frame[(ch * rows + y * c.stride + r) * columns + x * c.stride + s] *
                       c.filter[((f * c.channels + ch) * c.filter_height + r) * c.filter_width + s];
          c.output[((b * c.filters + f) * c.out_height + y) * c.out_width + x] = sum;
        }
  }
}
