// Unfolding of images (im2col) for the GPU variants. The pixels that the filters need for one output pixel
// become a column of a matrix, with one row per channel and element of a filter:
//
//   unfolded(c, r, s; y, x) = input(c, y * stride + r - padding, x * stride + s - padding), 0 beyond the
//   image
//
// Each pixel is copied once per element of the filter, so the matrix of a large image does not fit into the
// memory of a GPU: 4096 x 4096 pixels x 64 channels with 3 x 3 filters are 36 GiB of floats. So the work is
// split into chunks of at most CHUNK_MIB: several small images, or a range of the output pixels of one large
// image.
#pragma once

#include <algorithm>

#include "lab/conv2d.h"

#ifndef CHUNK_MIB
#define CHUNK_MIB 256
#endif

namespace lab {

/// A part of the work: some images, and of each the output pixels [first, first + pixels).
struct Chunk {
  int64_t image, images, first, pixels;
};

template <class T>
struct Unfolding {
  const Conv2d<T>& c;
  int64_t taps = c.channels * c.filter_height * c.filter_width;
  int64_t all_pixels = c.out_height * c.out_width;
  int64_t most_columns = std::max<int64_t>(1, (int64_t{CHUNK_MIB} << 20) / (taps * int64_t{sizeof(T)}));
  int64_t pixels = std::min(all_pixels, most_columns);
  int64_t images = std::clamp<int64_t>(most_columns / all_pixels, 1, std::min<int64_t>(c.batch, 65535));

  size_t bytes() const { return static_cast<size_t>(images * taps * pixels) * sizeof(T); }

  /// Calls f(chunk) for each chunk.
  template <class F>
  void each_chunk(F f) const {
    for (int64_t b = 0; b < c.batch; b += images) {
      for (int64_t p = 0; p < all_pixels; p += pixels) {
        f(Chunk{b, std::min(images, c.batch - b), p, std::min(pixels, all_pixels - p)});
      }
    }
  }
};

constexpr int unfold_threads = 256;

/// One thread per output pixel and channel; the threads of a warp write neighbours in a row. `to` is images x
/// taps x pixels.
template <class T>
__global__ void __launch_bounds__(unfold_threads) unfold(Conv2d<T> c, Chunk chunk, T* to) {
  const int64_t column = int64_t{blockIdx.x} * unfold_threads + threadIdx.x;
  if (column >= chunk.pixels) return;
  const int64_t pixel = chunk.first + column;
  const int64_t y = pixel / c.out_width * c.stride - c.padding,
                x = pixel % c.out_width * c.stride - c.padding;
  const int64_t taps = c.filter_height * c.filter_width;
  for (int64_t i = blockIdx.y; i < c.channels; i += gridDim.y) {
    const T* image = c.input + ((chunk.image + blockIdx.z) * c.channels + i) * c.height * c.width;
    T* out = to + (blockIdx.z * c.channels + i) * taps * chunk.pixels + column;
    for (int64_t r = y; r < y + c.filter_height; ++r) {
      for (int64_t s = x; s < x + c.filter_width; ++s, out += chunk.pixels) {
        const bool inside = r >= 0 && r < c.height && s >= 0 && s < c.width;
        *out = inside ? image[r * c.width + s] : T(0);
      }
    }
  }
}

template <class T>
void launch_unfold(const Conv2d<T>& c, const Chunk& chunk, T* to, Stream stream) {
  dim3 grid = grid_for(chunk.pixels, c.channels, dim3(unfold_threads, 1));
  grid.z = static_cast<unsigned>(chunk.images);
  unfold<<<grid, unfold_threads, 0, stream>>>(c, chunk, to);
}

}  // namespace lab
