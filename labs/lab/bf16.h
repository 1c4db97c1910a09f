// bfloat16: the upper half of a float, so it has the same range and 8 significant bits.
#pragma once

#include <stdint.h>
#include <string.h>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define LAB_ANYWHERE __host__ __device__
#else
#define LAB_ANYWHERE
#endif

namespace lab {

/// A number in memory. Arithmetic converts it to float; a result is rounded to the nearest bfloat16, ties to even, when
/// it is stored. CUDA's __nv_bfloat16 has the same bits.
struct bf16 {
  uint16_t bits;

  bf16() = default;
  LAB_ANYWHERE bf16(float x) {
    uint32_t all;
    memcpy(&all, &x, sizeof all);
    const bool nan = (all & 0x7fffffff) > 0x7f800000;
    bits = static_cast<uint16_t>((nan ? all | 0x400000 : all + 0x7fff + (all >> 16 & 1)) >> 16);
  }
  LAB_ANYWHERE operator float() const {
    const uint32_t all = static_cast<uint32_t>(bits) << 16;
    float x;
    memcpy(&x, &all, sizeof x);
    return x;
  }
};

/// The type in which products of T are added up, and of alpha and beta.
template <class T>
struct Arithmetic {
  using Type = T;
};
template <>
struct Arithmetic<bf16> {
  using Type = float;
};
template <class T>
using Sum = typename Arithmetic<T>::Type;

}  // namespace lab

/// The entry macros take a type's name without a namespace.
using lab::bf16;
