// The mathematical functions of CUDA that <cmath> does not have. Functions of reduced precision (__expf) have
// full precision here, because the error bound of a check must not depend on the rounding of one device.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "emulator/device/kernel.h"

#define LAB_UNARY(name, T, expression) \
  LAB_INLINE T name(T x) { return expression; }
#define LAB_BINARY(name, T, expression) \
  LAB_INLINE T name(T x, T y) { return expression; }

LAB_UNARY(rsqrtf, float, 1.0f / sqrtf(x))
LAB_UNARY(rsqrt, double, 1.0 / sqrt(x))
LAB_UNARY(rcbrtf, float, 1.0f / cbrtf(x))
LAB_UNARY(__expf, float, expf(x))
LAB_UNARY(__logf, float, logf(x))
LAB_UNARY(__log2f, float, log2f(x))
LAB_UNARY(__log10f, float, log10f(x))
LAB_UNARY(__sinf, float, sinf(x))
LAB_UNARY(__cosf, float, cosf(x))
LAB_UNARY(__tanf, float, tanf(x))
LAB_UNARY(__frsqrt_rn, float, 1.0f / sqrtf(x))
LAB_UNARY(__fsqrt_rn, float, sqrtf(x))
LAB_UNARY(__frcp_rn, float, 1.0f / x)
LAB_UNARY(__drcp_rn, double, 1.0 / x)
LAB_UNARY(__dsqrt_rn, double, sqrt(x))
LAB_UNARY(__saturatef, float, x > 0 ? (x < 1 ? x : 1.0f) : 0.0f)
LAB_BINARY(__powf, float, powf(x, y))
LAB_BINARY(__fdividef, float, x / y)
LAB_BINARY(__fadd_rn, float, x + y)
LAB_BINARY(__fsub_rn, float, x - y)
LAB_BINARY(__fmul_rn, float, x* y)
LAB_BINARY(__fdiv_rn, float, x / y)
LAB_BINARY(__dadd_rn, double, x + y)
LAB_BINARY(__dsub_rn, double, x - y)
LAB_BINARY(__dmul_rn, double, x* y)
LAB_BINARY(__ddiv_rn, double, x / y)
LAB_BINARY(__mul24, int, x* y)
LAB_BINARY(__umul24, unsigned, x* y)
LAB_BINARY(__umulhi, unsigned, static_cast<unsigned>((uint64_t{x} * y) >> 32))
LAB_BINARY(__mulhi, int, static_cast<int>((int64_t{x} * y) >> 32))
#undef LAB_UNARY
#undef LAB_BINARY

LAB_INLINE float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
LAB_INLINE double __fma_rn(double x, double y, double z) { return fma(x, y, z); }
LAB_INLINE void __sincosf(float x, float* s, float* c) {
  *s = sinf(x);
  *c = cosf(x);
}

LAB_INLINE int __float_as_int(float x) { return std::bit_cast<int>(x); }
LAB_INLINE unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
LAB_INLINE float __int_as_float(int x) { return std::bit_cast<float>(x); }
LAB_INLINE float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
LAB_INLINE long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
LAB_INLINE double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }
LAB_INLINE int __float2int_rn(float x) { return static_cast<int>(rintf(x)); }
LAB_INLINE int __float2int_rz(float x) { return static_cast<int>(x); }
LAB_INLINE int __float2int_rd(float x) { return static_cast<int>(floorf(x)); }
LAB_INLINE int __float2int_ru(float x) { return static_cast<int>(ceilf(x)); }
LAB_INLINE float __int2float_rn(int x) { return static_cast<float>(x); }
LAB_INLINE float __double2float_rn(double x) { return static_cast<float>(x); }

LAB_INLINE int __popc(unsigned x) { return std::popcount(x); }
LAB_INLINE int __popcll(unsigned long long x) { return std::popcount(x); }
LAB_INLINE int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
LAB_INLINE int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
LAB_INLINE int __ffs(int x) { return __builtin_ffs(x); }
LAB_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
LAB_INLINE unsigned __brev(unsigned x) {
  unsigned y = 0;
  for (int i = 0; i < 32; ++i) y |= ((x >> i) & 1u) << (31 - i);
  return y;
}

/// CUDA's min and max accept mixed types.
template <class A, class B>
requires std::is_arithmetic_v<A> && std::is_arithmetic_v<B>
constexpr LAB_INLINE std::common_type_t<A, B> min(A a, B b) {
  using T = std::common_type_t<A, B>;
  return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
}
template <class A, class B>
requires std::is_arithmetic_v<A> && std::is_arithmetic_v<B>
constexpr LAB_INLINE std::common_type_t<A, B> max(A a, B b) {
  using T = std::common_type_t<A, B>;
  return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
}
