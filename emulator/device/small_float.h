// Floating-point numbers of 16 bits, and pairs of them: __half (5 bits of exponent) and __nv_bfloat16 (8 bits). Each
// operation is done in float and rounded to nearest, ties to even, as on a real device.
#pragma once

#include <bit>
#include <cmath>
#include <type_traits>

#include "emulator/device/atomics.h"
#include "emulator/device/kernel.h"
#include "emulator/device/warp.h"

namespace lab::emulated {

template <int exponent_bits>
struct Small {
  static constexpr int mantissa_bits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
  static constexpr unsigned infinity = ((1u << exponent_bits) - 1) << mantissa_bits;

  unsigned short bits;

  Small() = default;
  template <class T>
  requires std::is_arithmetic_v<T>
  constexpr Small(T x) : bits(rounded(static_cast<float>(x))) {}
  static constexpr Small of_bits(unsigned short bits) {
    Small s{};
    s.bits = bits;
    return s;
  }
  template <int other>
  explicit constexpr Small(Small<other> x) : Small(static_cast<float>(x)) {}
  constexpr operator float() const {
    const unsigned sign = (bits & 0x8000u) << 16, rest = bits & 0x7fffu;
    if (rest >= infinity)
      return std::bit_cast<float>(sign | 0x7f800000u | (rest & ((1u << mantissa_bits) - 1)) << (23 - mantissa_bits));
    if (rest >= 1u << mantissa_bits)
      return std::bit_cast<float>(sign | ((rest << (23 - mantissa_bits)) + ((127u - bias) << 23)));
    if constexpr (exponent_bits == 8) return std::bit_cast<float>(sign | rest << 16);
    const float small = static_cast<float>(rest) * 5.9604644775390625e-08f;  // 2^-24
    return sign ? -small : small;
  }

  Small operator+() const { return *this; }
  Small operator-() const { return of_bits(static_cast<unsigned short>(bits ^ 0x8000u)); }
  Small& operator++() { return *this = Small(float(*this) + 1.0f); }
  Small& operator--() { return *this = Small(float(*this) - 1.0f); }

 private:
  static constexpr unsigned short rounded(float x) {
    const unsigned all = std::bit_cast<unsigned>(x), sign = all >> 16 & 0x8000u, size = all & 0x7fffffffu;
    if (size > 0x7f800000u) return static_cast<unsigned short>(0x7fffu);  // the NaN of a real device
    if constexpr (exponent_bits == 8)
      return static_cast<unsigned short>(sign | (size + 0x7fffu + (size >> 16 & 1)) >> 16);
    if (size >= 0x477ff000u) return static_cast<unsigned short>(sign | infinity);
    if (size < 0x38800000u) {  // below 2^-14: a multiple of 2^-24; the sum makes float round there
      const float multiple = std::bit_cast<float>(size) + 0.5f;
      return static_cast<unsigned short>(sign | (std::bit_cast<unsigned>(multiple) - 0x3f000000u));
    }
    return static_cast<unsigned short>(sign | (size - (112u << 23) + 0xfffu + (size >> 13 & 1)) >> 13);
  }
};

template <int e>
struct alignas(4) Pair {
  Small<e> x, y;
  Pair() = default;
  constexpr Pair(Small<e> x, Small<e> y) : x(x), y(y) {}
};

#define LAB_OPERATOR(op)                                             \
  template <int e>                                                   \
  LAB_INLINE Small<e> operator op(Small<e> a, Small<e> b) {          \
    return Small<e>(static_cast<float>(a) op static_cast<float>(b)); \
  }                                                                  \
  template <int e>                                                   \
  LAB_INLINE Small<e>& operator op##=(Small<e>& a, Small<e> b) {     \
    return a = a op b;                                               \
  }                                                                  \
  template <int e>                                                   \
  LAB_INLINE Pair<e> operator op(Pair<e> a, Pair<e> b) {             \
    return {a.x op b.x, a.y op b.y};                                 \
  }                                                                  \
  template <int e>                                                   \
  LAB_INLINE Pair<e>& operator op##=(Pair<e>& a, Pair<e> b) {        \
    return a = a op b;                                               \
  }
LAB_OPERATOR(+)
LAB_OPERATOR(-)
LAB_OPERATOR(*)
LAB_OPERATOR(/)
#undef LAB_OPERATOR

#define LAB_COMPARE(op, name)                                            \
  template <int e>                                                       \
  LAB_INLINE bool operator op(Small<e> a, Small<e> b) {                  \
    return static_cast<float>(a) op static_cast<float>(b);               \
  }                                                                      \
  template <int e>                                                       \
  LAB_INLINE bool name(Small<e> a, Small<e> b) {                         \
    return a op b;                                                       \
  }                                                                      \
  template <int e>                                                       \
  LAB_INLINE Pair<e> name##2(Pair<e> a, Pair<e> b) {                     \
    return {Small<e>(a.x op b.x ? 1 : 0), Small<e>(a.y op b.y ? 1 : 0)}; \
  }
LAB_COMPARE(==, __heq)
LAB_COMPARE(!=, __hne)
LAB_COMPARE(<, __hlt)
LAB_COMPARE(<=, __hle)
LAB_COMPARE(>, __hgt)
LAB_COMPARE(>=, __hge)
#undef LAB_COMPARE

#define LAB_UNARY(name, expression)         \
  template <int e>                          \
  LAB_INLINE Small<e> h##name(Small<e> h) { \
    const float x = h;                      \
    return Small<e>(expression);            \
  }                                         \
  template <int e>                          \
  LAB_INLINE Pair<e> h2##name(Pair<e> p) {  \
    return {h##name(p.x), h##name(p.y)};    \
  }
LAB_UNARY(exp, expf(x))
LAB_UNARY(exp2, exp2f(x))
LAB_UNARY(exp10, powf(10.0f, x))
LAB_UNARY(log, logf(x))
LAB_UNARY(log2, log2f(x))
LAB_UNARY(log10, log10f(x))
LAB_UNARY(sqrt, sqrtf(x))
LAB_UNARY(rsqrt, 1.0f / sqrtf(x))
LAB_UNARY(rcp, 1.0f / x)
LAB_UNARY(sin, sinf(x))
LAB_UNARY(cos, cosf(x))
LAB_UNARY(tanh, tanhf(x))
LAB_UNARY(floor, floorf(x))
LAB_UNARY(ceil, ceilf(x))
LAB_UNARY(trunc, truncf(x))
LAB_UNARY(rint, rintf(x))
#undef LAB_UNARY

#define LAB_BINARY(name, expression)                 \
  template <int e>                                   \
  LAB_INLINE Small<e> name(Small<e> a, Small<e> b) { \
    return expression;                               \
  }                                                  \
  template <int e>                                   \
  LAB_INLINE Pair<e> name##2(Pair<e> a, Pair<e> b) { \
    return {name(a.x, b.x), name(a.y, b.y)};         \
  }
LAB_BINARY(__hadd, a + b)
LAB_BINARY(__hsub, a - b)
LAB_BINARY(__hmul, a* b)
LAB_BINARY(__hadd_rn, a + b)
LAB_BINARY(__hmul_rn, a* b)
LAB_BINARY(__hdiv, a / b)
LAB_BINARY(__hmax, Small<e>(fmaxf(a, b)))
LAB_BINARY(__hmin, Small<e>(fminf(a, b)))
#undef LAB_BINARY

template <int e>
LAB_INLINE Pair<e> __h2div(Pair<e> a, Pair<e> b) {
  return a / b;
}
template <int e>
LAB_INLINE Small<e> __hfma(Small<e> a, Small<e> b, Small<e> c) {
  return Small<e>(static_cast<float>(fma(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c))));
}
template <int e>
LAB_INLINE Pair<e> __hfma2(Pair<e> a, Pair<e> b, Pair<e> c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
template <int e>
LAB_INLINE Small<e> __hneg(Small<e> a) {
  return -a;
}
template <int e>
LAB_INLINE Pair<e> __hneg2(Pair<e> a) {
  return {-a.x, -a.y};
}
template <int e>
LAB_INLINE Small<e> __habs(Small<e> a) {
  return Small<e>::of_bits(a.bits & 0x7fff);
}
template <int e>
LAB_INLINE Pair<e> __habs2(Pair<e> a) {
  return {__habs(a.x), __habs(a.y)};
}
template <int e>
LAB_INLINE bool __hisnan(Small<e> a) {
  return (a.bits & 0x7fffu) > Small<e>::infinity;
}
template <int e>
LAB_INLINE int __hisinf(Small<e> a) {
  return (a.bits & 0x7fffu) == Small<e>::infinity ? (a.bits & 0x8000 ? -1 : 1) : 0;
}
template <int e>
LAB_INLINE float __low2float(Pair<e> p) {
  return p.x;
}
template <int e>
LAB_INLINE float __high2float(Pair<e> p) {
  return p.y;
}
template <int e>
LAB_INLINE Pair<e> __lowhigh2highlow(Pair<e> p) {
  return {p.y, p.x};
}
template <int e>
LAB_INLINE Small<e> __ldg(const Small<e>* p) {
  return *p;
}
template <int e>
LAB_INLINE Pair<e> __ldg(const Pair<e>* p) {
  return *p;
}
template <int e>
LAB_INLINE Pair<e> atomicAdd(Pair<e>* p, Pair<e> v) {
  return atomically(p, [v](Pair<e> old) { return old + v; });
}
/// The step changes the four bytes around it, but only these two count as updated.
template <int e>
LAB_INLINE Small<e> atomicAdd(Small<e>* p, Small<e> v) {
  const bool upper = reinterpret_cast<uintptr_t>(p) & 2;
  auto* both = reinterpret_cast<Pair<e>*>(reinterpret_cast<char*>(p) - (upper ? 2 : 0));
  lab_atomic(p, sizeof *p);
  const Pair<e> old = atomically_quiet(both, [&](Pair<e> pair) {
    (upper ? pair.y : pair.x) += v;
    return pair;
  });
  return upper ? old.y : old.x;
}

}  // namespace lab::emulated
