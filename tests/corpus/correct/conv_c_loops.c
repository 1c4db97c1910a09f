// The formula of the convolution in C; strides over 2 are not supported.
#include "lab/conv2d.h"

LAB_CONV2D_CPU(float)(const lab_conv2d_float* c) {
  if (c->stride > 2) {
    lab_unsupported("stride 1 or 2 only");
    return;
  }
  float* out = c->output;
  for (int64_t b = 0; b < c->batch; ++b)
    for (int64_t f = 0; f < c->filters; ++f)
      for (int64_t y = 0; y < c->out_height; ++y)
        for (int64_t x = 0; x < c->out_width; ++x) {
          float sum = 0;
          for (int64_t d = 0; d < c->channels; ++d)
            for (int64_t r = 0; r < c->filter_height; ++r)
              for (int64_t s = 0; s < c->filter_width; ++s) {
                const int64_t row = y * c->stride + r - c->padding, column = x * c->stride + s - c->padding;
                if (row < 0 || row >= c->height || column < 0 || column >= c->width) continue;
                sum += c->filter[((f * c->channels + d) * c->filter_height + r) * c->filter_width + s] *
                       c->input[((b * c->channels + d) * c->height + row) * c->width + column];
              }
          *out++ = sum;
        }
}
