// The mathematical functions of CUDA that <cmath> does not have. Functions of reduced precision (__expf) have
// full precision here, because the error bound of a check must not depend on the rounding of one device.
#pragma once

#include <bit>
#include <math.h>
#include <cmath>
#include <type_traits>

#include "emulator/device/kernel.h"
#include "emulator/device/rounding.h"

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
LAB_UNARY(exp10f, float, ::powf(10.0f, x))
LAB_UNARY(exp10, double, ::pow(10.0, x))
LAB_UNARY(__exp10f, float, ::powf(10.0f, x))
LAB_UNARY(sinpif, float, sinf(x * 3.14159265358979f))
LAB_UNARY(cospif, float, cosf(x * 3.14159265358979f))
LAB_UNARY(sinpi, double, sin(x * 3.14159265358979323846))
LAB_UNARY(cospi, double, cos(x * 3.14159265358979323846))
LAB_UNARY(rcbrt, double, 1.0 / cbrt(x))
LAB_UNARY(normcdff, float, 0.5f * erfcf(-x * 0.70710678118654752f))
LAB_UNARY(normcdf, double, 0.5 * erfc(-x * 0.70710678118654752440))
LAB_UNARY(rsqrt, float, 1.0f / sqrtf(x))
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
LAB_BINARY(fdividef, float, x / y)
LAB_BINARY(__umul64hi, unsigned long long, static_cast<unsigned long long>(((unsigned __int128)x * y) >> 64))
LAB_BINARY(__mul64hi, long long, static_cast<long long>(((__int128)x * y) >> 64))
LAB_BINARY(__hadd, int, (x + y) >> 1)
LAB_BINARY(__rhadd, int, (x + y + 1) >> 1)
LAB_BINARY(__uhadd, unsigned, static_cast<unsigned>((uint64_t{x} + y) >> 1))
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
LAB_INLINE int __double2hiint(double x) { return static_cast<int>(std::bit_cast<uint64_t>(x) >> 32); }
LAB_INLINE int __double2loint(double x) { return static_cast<int>(std::bit_cast<uint64_t>(x)); }
LAB_INLINE double __hiloint2double(int high, int low) {
  return std::bit_cast<double>(static_cast<uint64_t>(static_cast<unsigned>(high)) << 32 | static_cast<unsigned>(low));
}
LAB_INLINE float norm3df(float x, float y, float z) { return sqrtf(x * x + y * y + z * z); }
LAB_INLINE float rnorm3df(float x, float y, float z) { return 1.0f / norm3df(x, y, z); }
LAB_INLINE double norm3d(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }
LAB_INLINE double norm(int count, const double* p) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += p[i] * p[i];
  return sqrt(sum);
}
LAB_INLINE float normf(int count, const float* p) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += double{p[i]} * p[i];
  return static_cast<float>(sqrt(sum));
}
LAB_INLINE float rnormf(int count, const float* p) { return 1.0f / normf(count, p); }
LAB_INLINE float norm4df(float x, float y, float z, float w) { return sqrtf(x * x + y * y + z * z + w * w); }
LAB_INLINE float rnorm4df(float x, float y, float z, float w) { return 1.0f / norm4df(x, y, z, w); }
/// exp(x * x) * erfc(x); for large x the first terms of its series.
LAB_INLINE float erfcxf(float x) {
  const double s = double{x} * x;
  return static_cast<float>(x < 20 ? exp(s) * erfc(double{x}) : 0.56418958354775629 / x * (1 - 0.5 / s + 0.75 / (s * s)));
}
/// The x with erf(x) = y: a guess (S. Winitzki, 2008), and Newton's steps from there.
LAB_INLINE double erfinv(double y) {
  if (!(y > -1 && y < 1)) return y == 1 || y == -1 ? y * INFINITY : NAN;
  const double l = log1p(-y * y), b = 4.3307467508 + l / 2;
  double x = copysign(sqrt(sqrt(b * b - l / 0.147) - b), y);
  for (int i = 0; i < 4; ++i)  // far out, 1 - y is known better than y
    x += (y < 0.5 && y > -0.5 ? y - erf(x) : y > 0 ? erfc(x) - (1 - y) : 1 + y - erfc(-x)) * 0.88622692545275801 * exp(x * x);
  return x;
}
LAB_INLINE float erfinvf(float y) { return static_cast<float>(erfinv(double{y})); }
LAB_INLINE float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
LAB_INLINE void sincospif(float x, float* s, float* c) {
  *s = sinpif(x);
  *c = cospif(x);
}
LAB_INLINE unsigned __sad(int x, int y, unsigned z) {
  return z + static_cast<unsigned>(x < y ? int64_t{y} - x : int64_t{x} - y);
}
LAB_INLINE unsigned __usad(unsigned x, unsigned y, unsigned z) { return z + (x < y ? y - x : x - y); }
LAB_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const uint64_t both = uint64_t{y} << 32 | x;
  unsigned out = 0;
  for (int i = 0; i < 4; ++i) out |= static_cast<unsigned>(both >> ((selector >> (4 * i) & 7) * 8) & 0xff) << (8 * i);
  return out;
}
LAB_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
  return static_cast<unsigned>(((uint64_t{high} << 32 | low) << (by & 31)) >> 32);
}
LAB_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
  return static_cast<unsigned>((uint64_t{high} << 32 | low) >> (by & 31));
}
LAB_INLINE int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 32; i += 8) c += static_cast<signed char>(a >> i) * static_cast<signed char>(b >> i);
  return c;
}
LAB_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 32; i += 8) c += (a >> i & 0xff) * (b >> i & 0xff);
  return c;
}
LAB_INLINE unsigned long long __brevll(unsigned long long x) {
  unsigned long long y = 0;
  for (int i = 0; i < 64; ++i) y |= ((x >> i) & 1u) << (63 - i);
  return y;
}

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
