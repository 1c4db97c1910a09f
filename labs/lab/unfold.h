// The unfolding of images (im2col) that the GPU variants share: what the filters meet at one place becomes a
// column of a matrix, one row for each channel and element of a filter:
//
//   unfolded(c, r, s; y, x) = input(c, y * stride + r - padding, x * stride + s - padding), 0 beyond the
//   image
//
// A pixel is copied once for every element of the filter that meets it, so the matrix of a large image
// exceeds the memory of a GPU: 4096 x 4096 pixels x 64 channels under 3 x 3 are 36 GiB of floats. So the work
// goes on in chunks of at most CHUNK_MIB: several small images, or a range of the places of one large image.
#pragma once

#include <algorithm>

#include "lab/conv2d.h"

#ifndef CHUNK_MIB
#define CHUNK_MIB 256
#endif

namespace lab {

/// A part of the work: some images, and of each the places [first, first + places).
struct Chunk {
  int64_t image, images, first, places;
};

template <class T>
struct Unfolding {
  const Conv2d<T>& c;
  int64_t taps = c.channels * c.filter_height * c.filter_width;
  int64_t all_places = c.out_height * c.out_width;
  int64_t most_columns = std::max<int64_t>(1, (int64_t{CHUNK_MIB} << 20) / (taps * int64_t{sizeof(T)}));
  int64_t places = std::min(all_places, most_columns);
  int64_t images = std::clamp<int64_t>(most_columns / all_places, 1, std::min<int64_t>(c.batch, 65535));

  size_t bytes() const { return static_cast<size_t>(images * taps * places) * sizeof(T); }

  /// Calls f(chunk) for all the work.
  template <class F>
  void each_chunk(F f) const {
    for (int64_t b = 0; b < c.batch; b += images) {
      for (int64_t p = 0; p < all_places; p += places) {
        f(Chunk{b, std::min(images, c.batch - b), p, std::min(places, all_places - p)});
      }
    }
  }
};

constexpr int unfold_threads = 256;

/// One thread a place and channel; threads of a warp write neighbours in a row. `to` is images x taps x
/// places.
template <class T>
__global__ void __launch_bounds__(unfold_threads) unfold(Conv2d<T> c, Chunk chunk, T* to) {
  const int64_t column = int64_t{blockIdx.x} * unfold_threads + threadIdx.x;
  if (column >= chunk.places) return;
  const int64_t place = chunk.first + column;
  const int64_t y = place / c.out_width * c.stride - c.padding,
                x = place % c.out_width * c.stride - c.padding;
  const int64_t taps = c.filter_height * c.filter_width;
  for (int64_t i = blockIdx.y; i < c.channels; i += gridDim.y) {
    const T* image = c.input + ((chunk.image + blockIdx.z) * c.channels + i) * c.height * c.width;
    T* out = to + (blockIdx.z * c.channels + i) * taps * chunk.places + column;
    for (int64_t r = y; r < y + c.filter_height; ++r) {
      for (int64_t s = x; s < x + c.filter_width; ++s, out += chunk.places) {
        const bool inside = r >= 0 && r < c.height && s >= 0 && s < c.width;
        *out = inside ? image[r * c.width + s] : T(0);
      }
    }
  }
}

template <class T>
void launch_unfold(const Conv2d<T>& c, const Chunk& chunk, T* to, Stream stream) {
  dim3 grid = grid_for(chunk.places, c.channels, dim3(unfold_threads, 1));
  grid.z = static_cast<unsigned>(chunk.images);
  unfold<<<grid, unfold_threads, 0, stream>>>(c, chunk, to);
}

}  // namespace lab
