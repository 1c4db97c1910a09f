// What gpu_tensor and gpu_tensor_bf16 share: the order of the tiles of C, and matrices described to tile copies.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "lab/gemm.h"
#include "lab/hopper.h"

namespace lab {

/// The stage that a warp uses next. The phase changes with each turn over all stages.
template <int stages>
struct Turn {
  int stage = 0, phase = 0;
  __device__ __forceinline__ void next() {
    stage = stage + 1 < stages ? stage + 1 : 0;
    phase ^= stage == 0;
  }
};

/// Tiles of rows x columns elements of C. They are counted down `group` rows of tiles, then along, so that blocks
/// that run at once share parts of A and B.
template <int rows, int columns, int group>
struct Tiles {
  int high, wide;
  LAB_HOST_DEVICE Tiles(int64_t m, int64_t n)
      : high(static_cast<int>((m + rows - 1) / rows)), wide(static_cast<int>((n + columns - 1) / columns)) {}
  LAB_HOST_DEVICE int count() const { return high * wide; }
  __device__ __forceinline__ int top(int tile) const { return (first(tile) + in_group(tile) % height(tile)) * rows; }
  __device__ __forceinline__ int left(int tile) const { return in_group(tile) / height(tile) * columns; }

 private:
  __device__ __forceinline__ int first(int tile) const { return tile / (wide * group) * group; }
  __device__ __forceinline__ int in_group(int tile) const { return tile % (wide * group); }
  __device__ __forceinline__ int height(int tile) const {
    return high - first(tile) < group ? high - first(tile) : group;
  }
};

/// Throws an error of the CUDA runtime.
inline void demand(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

/// Copies a matrix to rows that begin at multiples of 16 bytes, as tile copies need them.
template <class T>
__global__ void align_rows(const T* from, int64_t from_pitch, T* to, int64_t to_pitch, int64_t height, int64_t width) {
  const int64_t col = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (col >= width) return;
  for (int64_t row = blockIdx.y; row < height; row += gridDim.y)
    to[row * to_pitch + col] = from[row * from_pitch + col];
}

/// A matrix for tile copies: itself, or a copy of it with aligned rows.
template <class T>
class TileSource {
 public:
  static constexpr int lines = 128 / sizeof(T);  // numbers in a row of a tile

  TileSource(const T* matrix, int64_t ld, int64_t height, int64_t width)
      : matrix_(matrix), ld_(ld), height_(height), width_(width) {}

  /// Elements of the workspace that it needs.
  size_t copy_size() const { return aligned() ? 0 : static_cast<size_t>(height_ * pitch()); }

  /// Describes the matrix to the copies, in tiles of tile_height x lines. The copy, if one is needed, is put on
  /// `stream`.
  CUtensorMap describe(unsigned tile_height, T* copy, Stream stream) const {
    if (aligned()) return encode(matrix_, ld_, tile_height);
    const dim3 grid(blocks_for(width_, 256), static_cast<unsigned>(std::min<int64_t>(height_, 65535)));
    align_rows<<<grid, 256, 0, stream>>>(matrix_, ld_, copy, pitch(), height_, width_);
    return encode(copy, pitch(), tile_height);
  }

 private:
  static constexpr int numbers = 16 / sizeof(T);  // in 16 bytes
  int64_t pitch() const { return (width_ + numbers - 1) / numbers * numbers; }
  bool aligned() const { return ld_ % numbers == 0 && reinterpret_cast<uintptr_t>(matrix_) % 16 == 0; }

  CUtensorMap encode(const T* matrix, int64_t row, unsigned tile_height) const {
    static const auto encode_tiled = [] {
      void* function = nullptr;
      cudaDriverEntryPointQueryResult found;
      demand(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found));
      return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
    }();
    const cuuint64_t size[] = {static_cast<cuuint64_t>(width_), static_cast<cuuint64_t>(height_)};
    const cuuint64_t row_bytes[] = {row * sizeof(T)};
    const cuuint32_t tile[] = {lines, tile_height}, every[] = {1, 1};
    const auto type = sizeof(T) == 2 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    CUtensorMap map;
    if (encode_tiled(&map, type, 2, const_cast<T*>(matrix), size, row_bytes, tile, every, CU_TENSOR_MAP_INTERLEAVE_NONE,
                     CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                     CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
      throw std::runtime_error("the driver does not accept the shape of a matrix");
    return map;
  }

  const T* matrix_;
  int64_t ld_, height_, width_;
};

/// The factors of a product, described to tile copies.
template <class T>
struct Factors {
  TileSource<T> a, b;

  explicit Factors(const Gemm<T>& g) : a(g.a, g.lda, g.m, g.k), b(g.b, g.ldb, g.k, g.n) {}
  size_t workspace_bytes() const { return (a.copy_size() + b.copy_size()) * sizeof(T); }
};

}  // namespace lab
