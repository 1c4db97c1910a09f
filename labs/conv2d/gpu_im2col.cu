// The image is unfolded to a matrix on the GPU (lab/unfold.h), then multiplied: filters x unfolded image.
//
// Compared with gpu_direct: the product does not need to know about channels, strides and borders. Each
// thread has one output pixel and computes the results of FILTERS filters there. It loads a number of the
// unfolded image once and uses it FILTERS times. The elements of the filters come from shared memory, the
// same for all threads. If there are fewer filters, a kernel with fewer results per thread is used.
//
// What limits it: memory. The unfolded image is written once and read once; for 3 x 3 it is nine times as
// large as the image. With one filter there is one multiply-add for each of these numbers. It is a good
// choice for many filters, like gpu_im2col_cublas.
//
// Drawing:
//   product
//   rows = FILTERS; columns = 256; threads = 256; depth = 16; depth_b = 0
//   thread_rows = FILTERS
//   row = 0; column = t
//   A are the filters, B is the unfolded image, C has a row for each filter.
#include "lab/conv2d.h"
#include "lab/unfold.h"

#ifndef FILTERS
#define FILTERS 16
#endif
constexpr int threads_a_block = 256;
constexpr int steps = 16;  // steps of the sum whose filter elements are in shared memory

template <class T, int COUNT>
__global__ void __launch_bounds__(threads_a_block)
    multiply(lab::Conv2d<T> c, lab::Chunk chunk, int64_t taps, const T* unfolded) {
  __shared__ T weight[steps][COUNT];
  const int64_t column = int64_t{blockIdx.x} * threads_a_block + threadIdx.x, b = blockIdx.z;
  const T* from = unfolded + b * taps * chunk.pixels + column;
  // Runs once, unless there are more filters than a grid has blocks along y.
  for (int64_t f0 = int64_t{blockIdx.y} * COUNT; f0 < c.filters; f0 += int64_t{gridDim.y} * COUNT) {
    T sum[COUNT] = {};
    for (int64_t p0 = 0; p0 < taps; p0 += steps) {
      for (int i = threadIdx.x; i < steps * COUNT; i += threads_a_block) {
        const int64_t p = p0 + i / COUNT, f = f0 + i % COUNT;
        weight[i / COUNT][i % COUNT] = p < taps && f < c.filters ? c.filter[f * taps + p] : T(0);
      }
      __syncthreads();  // the filters are complete
      for (int i = 0; i < steps && p0 + i < taps && column < chunk.pixels; ++i) {
        const T pixel = from[(p0 + i) * chunk.pixels];
        for (int j = 0; j < COUNT; ++j) sum[j] += pixel * weight[i][j];
      }
      __syncthreads();  // no thread reads them any more
    }
    if (column >= chunk.pixels) continue;
    T* out = c.output + (chunk.image + b) * c.filters * c.out_height * c.out_width + chunk.first + column;
    for (int j = 0; j < COUNT && f0 + j < c.filters; ++j) out[(f0 + j) * c.out_height * c.out_width] = sum[j];
  }
}

template <int COUNT, class T>
static void launch_multiply(const lab::Conv2d<T>& c, const lab::Chunk& chunk, int64_t taps, const T* unfolded,
                            lab::Stream stream) {
  dim3 grid = lab::grid_for(chunk.pixels, (c.filters + COUNT - 1) / COUNT, dim3(threads_a_block, 1));
  grid.z = static_cast<unsigned>(chunk.images);
  multiply<T, COUNT><<<grid, threads_a_block, 0, stream>>>(c, chunk, taps, unfolded);
}

template <class T>
static void launch(const lab::Conv2d<T>& c, lab::Stream stream) {
  const lab::Unfolding<T> unfolding{c};
  T* unfolded = static_cast<T*>(c.workspace);
  unfolding.each_chunk([&](const lab::Chunk& chunk) {
    lab::launch_unfold(c, chunk, unfolded, stream);
    if (c.filters == 1)
      launch_multiply<1>(c, chunk, unfolding.taps, unfolded, stream);
    else if (c.filters <= 4)
      launch_multiply<4>(c, chunk, unfolding.taps, unfolded, stream);
    else
      launch_multiply<FILTERS>(c, chunk, unfolding.taps, unfolded, stream);
  });
}

LAB_CONV2D_GPU(float)(const lab::Conv2d<float>& c, lab::Stream stream) { launch(c, stream); }
LAB_CONV2D_GPU(double)(const lab::Conv2d<double>& c, lab::Stream stream) { launch(c, stream); }
LAB_CONV2D_WORKSPACE(float)(const lab::Conv2d<float>& c) { return lab::Unfolding<float>{c}.bytes(); }
LAB_CONV2D_WORKSPACE(double)(const lab::Conv2d<double>& c) { return lab::Unfolding<double>{c}.bytes(); }
