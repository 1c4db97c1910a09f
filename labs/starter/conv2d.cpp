// TODO: say in one line what this variant does.
//
// It writes zeros, so it compiles and is WRONG. Replace the sum.
#include "lab/conv2d.h"

template <class T>
static void conv2d(const lab::Conv2d<T>& c) {
  for (int64_t b = 0; b < c.batch; ++b)
    for (int64_t f = 0; f < c.filters; ++f)
      for (int64_t y = 0; y < c.out_height; ++y)
        for (int64_t x = 0; x < c.out_width; ++x) {
          T sum = 0;
          // TODO: add filter * input for each channel and each element of the filter; outside of the image the input is 0.
          c.output[((b * c.filters + f) * c.out_height + y) * c.out_width + x] = sum;
        }
}

LAB_CONV2D_CPU(float)(const lab::Conv2d<float>& c) { conv2d(c); }
LAB_CONV2D_CPU(double)(const lab::Conv2d<double>& c) { conv2d(c); }
