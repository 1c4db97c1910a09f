// Tensor cores for the emulated device: nvcuda::wmma. As on a real device, it is not specified which lane holds which
// element. Products are summed in the type of the accumulator, in float for 16 bits; TF32 inputs lose the bits that it
// does not have.
#pragma once

#include "emulator/device/include/cuda_bf16.h"
#include "emulator/device/include/cuda_fp16.h"

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

/// The type of the elements of a fragment of T, and the type in which products of such elements are added up.
template <class T>
struct lab_element_of {
  using held = T;
  using summed = std::conditional_t<std::is_same_v<T, double>, double, std::conditional_t<std::is_integral_v<T>, int, float>>;
};
template <>
struct lab_element_of<precision::tf32> {
  using held = float;
  using summed = float;
};

template <class T>
constexpr bool lab_shape_known(int m, int n, int k) {
  if (std::is_same_v<T, precision::tf32>) return m == 16 && n == 16 && k == 8;
  if (std::is_same_v<T, double>) return m == 8 && n == 8 && k == 4;
  const bool wide = (m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32);
  return wide && (k == 16 || (std::is_same_v<T, float> && m == 16 && n == 16 && k == 8));
}
template <class T>
constexpr bool lab_type_known =
    std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16> || std::is_same_v<T, precision::tf32> ||
    std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, signed char> ||
    std::is_same_v<T, unsigned char> || std::is_same_v<T, int>;

template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
  static_assert(lab_type_known<T>, "a fragment holds half, __nv_bfloat16, precision::tf32, double, signed char, unsigned "
                                   "char, or float or int sums");
  static_assert(lab_shape_known<T>(M, N, K),
                "shapes are 16 x 16 x 16, 32 x 8 x 16, 8 x 32 x 16, for tf32 16 x 16 x 8, for double 8 x 8 x 4");
  using element_type = typename lab_element_of<T>::held;
  using storage_element_type = element_type;
  static constexpr int rows = std::is_same_v<Use, matrix_b> ? K : M;
  static constexpr int columns = std::is_same_v<Use, matrix_a> ? K : N;
  static constexpr int num_elements = rows * columns / 32;
  static constexpr int num_storage_elements = num_elements;
  element_type x[num_elements];
};

/// The index of element i of a lane in the row-major matrix.
LAB_INLINE int lab_element(int i) { return i * 32 + static_cast<int>(lab_lane()); }

LAB_INLINE float __float_to_tf32(float x) {
  // Round to nearest, ties away, to 10 bits of mantissa (PTX ISA, cvt.rna.tf32.f32).
  return std::bit_cast<float>((std::bit_cast<uint32_t>(x) + 0x1000u) & ~0x1fffu);
}
/// An input as the tensor cores see it.
template <class T, class S, class X>
LAB_INLINE S lab_seen(X x) {
  if constexpr (std::is_same_v<T, precision::tf32>)
    return std::bit_cast<float>(std::bit_cast<uint32_t>(x) & ~0x1fffu);
  else
    return static_cast<S>(x);
}

template <class F, class V>
LAB_INLINE void fill_fragment(F& f, V value) {
  for (auto& x : f.x) x = static_cast<typename F::element_type>(value);
}

template <class F>
LAB_INLINE void lab_load(F& f, const typename F::element_type* p, unsigned ld, layout_t layout) {
  __syncwarp();  // the lanes meet before they load or store, and not after it (CUDA C++ Programming Guide, warp matrix functions)
  for (int i = 0; i < F::num_elements; ++i) {
    const int e = lab_element(i), row = e / F::columns, column = e % F::columns;
    f.x[i] = layout == mem_row_major ? p[row * ld + column] : p[column * ld + row];
  }
}
template <class Use, int M, int N, int K, class T, class Layout>
LAB_INLINE void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& f, const typename lab_element_of<T>::held* p,
                                 unsigned ld) {
  lab_load(f, p, ld, std::is_same_v<Layout, row_major> ? mem_row_major : mem_col_major);
}
template <int M, int N, int K, class T>
LAB_INLINE void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const T* p, unsigned ld, layout_t layout) {
  lab_load(f, p, ld, layout);
}
template <int M, int N, int K, class T>
LAB_INLINE void store_matrix_sync(T* p, const fragment<accumulator, M, N, K, T>& f, unsigned ld, layout_t layout) {
  __syncwarp();
  for (int i = 0; i < f.num_elements; ++i) {
    const int e = lab_element(i), row = e / N, column = e % N;
    p[layout == mem_row_major ? row * ld + column : column * ld + row] = f.x[i];
  }
}

/// d = a b + c. Each lane can read the parts of all others, and continues when all have read.
template <int M, int N, int K, class T, class LA, class LB, class D, class C>
__attribute__((no_sanitize("thread"))) void mma_sync(fragment<accumulator, M, N, K, D>& d,
                                                     const fragment<matrix_a, M, N, K, T, LA>& a,
                                                     const fragment<matrix_b, M, N, K, T, LB>& b,
                                                     const fragment<accumulator, M, N, K, C>& c, bool = false) {
  using Held = typename lab_element_of<T>::held;
  using Sum = typename lab_element_of<T>::summed;
  struct Parts {
    const Held *a[32], *b[32];
  } own = {};
  Parts& all = *__shfl_sync(~0u, &own, 0, 32);  // one lane's memory: to pass on each part by itself would take 64 meetings
  all.a[lab_lane()] = a.x;
  all.b[lab_lane()] = b.x;
  __syncwarp();
  for (int i = 0; i < d.num_elements; ++i) {
    const int e = lab_element(i), row = e / N, column = e % N;
    Sum sum = static_cast<Sum>(c.x[i]);
    for (int k = 0; k < K; ++k) {
      const int from_a = row * K + k, from_b = k * N + column;
      sum += lab_seen<T, Sum>(all.a[from_a % 32][from_a / 32]) * lab_seen<T, Sum>(all.b[from_b % 32][from_b / 32]);
    }
    d.x[i] = static_cast<D>(sum);
  }
  __syncwarp();
}

}  // namespace nvcuda::wmma
