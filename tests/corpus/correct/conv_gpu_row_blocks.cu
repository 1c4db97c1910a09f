// A block a row of the output, its threads step along it.
#include "lab/conv2d.h"

__global__ void convolve(lab::Conv2d<float> c) {
  const int64_t y = blockIdx.x % c.out_height, plane = blockIdx.x / c.out_height;
  const int64_t b = plane / c.filters, f = plane % c.filters;
  for (int64_t x = threadIdx.x; x < c.out_width; x += blockDim.x) {
    float sum = 0;
    for (int64_t ch = 0; ch < c.channels; ++ch)
      for (int64_t r = 0; r < c.filter_height; ++r)
        for (int64_t s = 0; s < c.filter_width; ++s) {
          const int64_t v = y * c.stride + r - c.padding, u = x * c.stride + s - c.padding;
          if (v < 0 || v >= c.height || u < 0 || u >= c.width) continue;
          sum += c.input[((b * c.channels + ch) * c.height + v) * c.width + u] *
                 c.filter[((f * c.channels + ch) * c.filter_height + r) * c.filter_width + s];
        }
    c.output[(plane * c.out_height + y) * c.out_width + x] = sum;
  }
}

LAB_CONV2D_GPU(float)(const lab::Conv2d<float>& c, lab::Stream stream) {
  convolve<<<static_cast<unsigned>(c.batch * c.filters * c.out_height), 32, 0, stream>>>(c);
}
