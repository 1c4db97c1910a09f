// Tensor cores for the emulated device: nvcuda::wmma for TF32 (16 x 16 x 8, float sums). As on a real
// device, it is not specified which lane holds which element. Inputs lose the bits that TF32 does not have,
// and products are summed in float.
#pragma once

#include "emulator/device/runtime.h"

namespace nvcuda::wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
namespace precision {
struct tf32 {};
}  // namespace precision
enum layout_t { mem_row_major, mem_col_major };

template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
  static_assert(M == 16 && N == 16 && K == 8 &&
                    (std::is_same_v<T, precision::tf32> || std::is_same_v<T, float>),
                "the emulated device has tensor cores for TF32 only: 16 x 16 x 8");
  static constexpr int rows = std::is_same_v<Use, matrix_b> ? K : M;
  static constexpr int columns = std::is_same_v<Use, matrix_a> ? K : N;
  static constexpr int num_elements = rows * columns / 32;
  float x[num_elements];
};

/// The index of element i of a lane in the row-major matrix.
LAB_INLINE int lab_element(int i) { return i * 32 + static_cast<int>(lab_lane()); }

LAB_INLINE float __float_to_tf32(float x) {
  // Round to nearest, ties away, to 10 bits of mantissa (PTX ISA, cvt.rna.tf32.f32).
  return std::bit_cast<float>((std::bit_cast<uint32_t>(x) + 0x1000u) & ~0x1fffu);
}
LAB_INLINE float lab_truncated(float x) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(x) & ~0x1fffu);
}

template <class F>
LAB_INLINE void fill_fragment(F& f, float value) {
  for (float& x : f.x) x = value;
}

template <class F>
LAB_INLINE void lab_load(F& f, const float* p, unsigned ld, layout_t layout) {
  for (int i = 0; i < F::num_elements; ++i) {
    const int e = lab_element(i), row = e / F::columns, column = e % F::columns;
    f.x[i] = layout == mem_row_major ? p[row * ld + column] : p[column * ld + row];
  }
  __syncwarp();
}
template <class Use, int M, int N, int K, class T, class Layout>
LAB_INLINE void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& f, const float* p, unsigned ld) {
  lab_load(f, p, ld, std::is_same_v<Layout, row_major> ? mem_row_major : mem_col_major);
}
template <int M, int N, int K>
LAB_INLINE void load_matrix_sync(fragment<accumulator, M, N, K, float>& f, const float* p, unsigned ld,
                                 layout_t layout) {
  lab_load(f, p, ld, layout);
}
template <int M, int N, int K>
LAB_INLINE void store_matrix_sync(float* p, const fragment<accumulator, M, N, K, float>& f, unsigned ld,
                                  layout_t layout) {
  for (int i = 0; i < f.num_elements; ++i) {
    const int e = lab_element(i), row = e / N, column = e % N;
    p[layout == mem_row_major ? row * ld + column : column * ld + row] = f.x[i];
  }
  __syncwarp();
}

/// d = a b + c. Each lane can read the parts of all others, and continues when all have read.
template <int M, int N, int K, class LA, class LB>
__attribute__((no_sanitize("thread"))) void mma_sync(
    fragment<accumulator, M, N, K, float>& d, const fragment<matrix_a, M, N, K, precision::tf32, LA>& a,
    const fragment<matrix_b, M, N, K, precision::tf32, LB>& b,
    const fragment<accumulator, M, N, K, float>& c) {
  const float *left[32], *right[32];
  for (int lane = 0; lane < 32; ++lane) {
    left[lane] = __shfl_sync(~0u, static_cast<const float*>(a.x), lane, 32);
    right[lane] = __shfl_sync(~0u, static_cast<const float*>(b.x), lane, 32);
  }
  for (int i = 0; i < d.num_elements; ++i) {
    const int e = lab_element(i), row = e / N, column = e % N;
    float sum = c.x[i];
    for (int k = 0; k < K; ++k) {
      const int from_a = row * K + k, from_b = k * N + column;
      sum += lab_truncated(left[from_a % 32][from_a / 32]) * lab_truncated(right[from_b % 32][from_b / 32]);
    }
    d.x[i] = sum;
  }
  __syncwarp();
}

}  // namespace nvcuda::wmma
