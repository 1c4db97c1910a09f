// One thread per output pixel; BLOCK threads per block, along the rows of the output.
//
// Compared with cpu_direct: the loops over images, filters and pixels are gone; thousands of threads run
// them at once. The threads of a warp have neighbouring output pixels. So they read neighbouring pixels of
// the image, which is one wide access, and the same element of the filter, which is a broadcast.
//
// What limits it: every pixel is requested once per element of the filter. The caches serve nearly all of
// these requests, but each needs an instruction, an address and a test for the border.
//
// Drawing:
//   window
//   rows = 1; columns = BLOCK; threads = BLOCK
//   row = 0; column = t
//   window = 3; stride = 1
//   Drawn for a filter of 3 x 3 and stride 1.
#include "lab/conv2d.h"

#ifndef BLOCK
#define BLOCK 256
#endif
static_assert(BLOCK <= 1024, "a thread block holds at most 1024 threads: BLOCK is 1024 at most");

template <class T>
__device__ T sum_at(const lab::Conv2d<T>& c, int64_t b, int64_t f, int64_t y, int64_t x) {
  T sum = 0;
  for (int64_t i = 0; i < c.channels; ++i) {
    const T* image = c.input + (b * c.channels + i) * c.height * c.width;
    const T* filter = c.filter + (f * c.channels + i) * c.filter_height * c.filter_width;
    for (int64_t r = 0; r < c.filter_height; ++r) {
      const int64_t line = y * c.stride + r - c.padding;
      if (line < 0 || line >= c.height) continue;
      for (int64_t s = 0; s < c.filter_width; ++s) {
        const int64_t column = x * c.stride + s - c.padding;
        if (column < 0 || column >= c.width) continue;
        sum += image[line * c.width + column] * filter[r * c.filter_width + s];
      }
    }
  }
  return sum;
}

template <class T>
__global__ void __launch_bounds__(BLOCK) conv2d(lab::Conv2d<T> c) {
  const int64_t pixels = c.out_height * c.out_width, all = c.batch * c.filters * pixels;
  // Runs once, unless there are more output pixels than a grid has threads.
  for (int64_t at = int64_t{blockIdx.x} * BLOCK + threadIdx.x; at < all; at += int64_t{gridDim.x} * BLOCK) {
    const int64_t map = at / pixels, pixel = at % pixels;
    c.output[at] = sum_at(c, map / c.filters, map % c.filters, pixel / c.out_width, pixel % c.out_width);
  }
}

template <class T>
static void launch(const lab::Conv2d<T>& c, lab::Stream stream) {
  const int64_t all = c.batch * c.filters * c.out_height * c.out_width;
  conv2d<<<lab::grid_along_x(all, BLOCK), BLOCK, 0, stream>>>(c);
}

LAB_CONV2D_GPU(float)(const lab::Conv2d<float>& c, lab::Stream stream) { launch(c, stream); }
LAB_CONV2D_GPU(double)(const lab::Conv2d<double>& c, lab::Stream stream) { launch(c, stream); }
