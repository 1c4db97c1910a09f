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
template <class T, class... Others>
constexpr bool lab_is_one_of = (std::is_same_v<T, Others> || ...);
template <class T>
constexpr bool lab_is_factor = lab_is_one_of<T, __half, __nv_bfloat16, precision::tf32, double, signed char, unsigned char>;
/// Whether products of T can be added up in an accumulator of S.
template <class T, class S>
constexpr bool lab_adds_up_in = std::is_same_v<T, __half>    ? lab_is_one_of<S, __half, float>
                                : std::is_same_v<T, double> ? std::is_same_v<S, double>
                                : std::is_integral_v<T>     ? std::is_same_v<S, int>
                                                            : std::is_same_v<S, float>;

template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
  static constexpr bool is_sum = std::is_same_v<Use, accumulator>;
  static_assert(is_sum || lab_is_factor<T>,
                "fragments of A and B hold half, __nv_bfloat16, precision::tf32, double, signed char or unsigned char");
  static_assert(is_sum || lab_is_one_of<Layout, row_major, col_major>,
                "fragments of A and B have a layout: wmma::row_major or wmma::col_major");
  static_assert(!is_sum || lab_is_one_of<T, __half, float, double, int>, "an accumulator holds half, float, double or int");
  static_assert(lab_shape_known<T>(M, N, K),
                "shapes are 16 x 16 x 16, 32 x 8 x 16, 8 x 32 x 16, for tf32 16 x 16 x 8, for double 8 x 8 x 4");
  using element_type = typename lab_element_of<T>::held;
  using storage_element_type = element_type;
  static constexpr int rows = std::is_same_v<Use, matrix_b> ? K : M;
  static constexpr int columns = std::is_same_v<Use, matrix_a> ? K : N;
  static constexpr int num_elements = rows * columns / 32;
  static constexpr int num_storage_elements = num_elements;
  element_type x[num_elements];
  LAB_INLINE fragment() {  // NaN, so that a missing fill_fragment shows
    constexpr uint64_t unset = 0xfffcfffcfffcfffc;
    for (element_type& element : x) __builtin_memcpy(&element, &unset, sizeof element);
  }
};

/// Which element of the row-major matrix element i of a lane is. Not 32 * i + lane, the order in which many kernels copy a tile:
/// there each lane would read only what it wrote itself, and a missing barrier would not show.
LAB_INLINE int lab_element(int i) { return i * 32 + (5 * static_cast<int>(lab_lane()) + 11 * i + 7) % 32; }
/// The lane that holds element e, as its element e / 32. 13 * 5 = 1 modulo 32.
LAB_INLINE unsigned lab_holder(unsigned e) { return 13 * (e - 11 * (e / 32) - 7) % 32; }

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
  static_assert(!std::is_same_v<Use, accumulator>, "an accumulator is loaded with a layout: wmma::mem_row_major or wmma::mem_col_major");
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

/// What each lane of a warp holds of A and B.
template <class Held>
struct lab_parts {
  const Held *a[32], *b[32];
};
// The lanes keep these on the stack of one of them, which is no mistake of the student.
template <class Held>
__attribute__((no_sanitize("thread"))) void lab_bring(lab_parts<Held>& all, const Held* a, const Held* b) {
  all.a[lab_lane()] = a;
  all.b[lab_lane()] = b;
}
/// A lane that has not come, or -1.
template <class Held>
__attribute__((no_sanitize("thread"))) int lab_missing(const lab_parts<Held>& all) {
  for (int lane = 0; lane < 32; ++lane)
    if (!all.a[lane]) return lane;
  return -1;
}
/// Adds the products for this lane's elements to `sum`.
template <class T, int N, int K, int count, class Held, class Sum>
__attribute__((no_sanitize("thread"))) void lab_multiply(const lab_parts<Held>& all, Sum (&sum)[count]) {
  for (int i = 0; i < count; ++i) {
    const int e = lab_element(i), row = e / N, column = e % N;
    for (int k = 0; k < K; ++k) {
      const auto from_a = static_cast<unsigned>(row * K + k), from_b = static_cast<unsigned>(k * N + column);
      sum[i] += lab_seen<T, Sum>(all.a[lab_holder(from_a)][from_a / 32]) * lab_seen<T, Sum>(all.b[lab_holder(from_b)][from_b / 32]);
    }
  }
}

/// d = a b + c. The lanes bring copies: a fragment may lie in memory that is watched.
template <int M, int N, int K, class T, class LA, class LB, class D, class C>
LAB_INLINE void mma_sync(fragment<accumulator, M, N, K, D>& d, const fragment<matrix_a, M, N, K, T, LA>& a,
                         const fragment<matrix_b, M, N, K, T, LB>& b, const fragment<accumulator, M, N, K, C>& c, bool = false) {
  static_assert(lab_adds_up_in<T, D> && lab_adds_up_in<T, C>,
                "sums are float (or half, for half), int for 8-bit factors, double for double");
  using Held = typename lab_element_of<T>::held;
  using Sum = typename lab_element_of<T>::summed;
  constexpr int count = M * N / 32;
  Held own_a[M * K / 32], own_b[K * N / 32];
  Sum sum[count];
  for (int i = 0; i < a.num_elements; ++i) own_a[i] = a.x[i];
  for (int i = 0; i < b.num_elements; ++i) own_b[i] = b.x[i];
  for (int i = 0; i < count; ++i) sum[i] = static_cast<Sum>(c.x[i]);
  lab_parts<Held> own = {};
  // One lane's memory: to pass on each part by itself would take 64 meetings.
  lab_parts<Held>* const all = __shfl_sync(~0u, &own, 0, 32);
  if (reinterpret_cast<uintptr_t>(all) == ~uintptr_t{0}) return;  // that lane has not come, which the shuffle has told
  lab_bring(*all, own_a, own_b);
  __syncwarp();
  if (const int lane = lab_missing(*all); lane >= 0)
    __shfl_sync(~0u, 0, lane, 32);  // tells it
  else
    lab_multiply<T, N, K>(*all, sum);
  __syncwarp();
  for (int i = 0; i < count; ++i) d.x[i] = static_cast<D>(sum[i]);
}

}  // namespace nvcuda::wmma
