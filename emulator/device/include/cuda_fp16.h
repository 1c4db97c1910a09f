#pragma once
#include "emulator/device/runtime.h"
#include "emulator/device/small_float.h"

using __half = lab::emulated::Small<5>;
using __half2 = lab::emulated::Pair<5>;
using half = __half;
using half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;
struct __half_raw {
  unsigned short x;
  operator __half() const { return __half::of_bits(x); }
};

LAB_INLINE __half __float2half(float x) { return x; }
LAB_INLINE __half __float2half_rn(float x) { return x; }
LAB_INLINE __half __float2half_rz(float x) {
  const __half nearest = x;
  return fabsf(nearest) > fabsf(x) ? __half::of_bits(static_cast<unsigned short>(nearest.bits - 1)) : nearest;
}
LAB_INLINE __half __double2half(double x) { return x; }
LAB_INLINE float __half2float(__half x) { return x; }
LAB_INLINE __half2 __float2half2_rn(float x) { return {x, x}; }
LAB_INLINE __half2 __floats2half2_rn(float x, float y) { return {x, y}; }
LAB_INLINE __half2 __float22half2_rn(float2 v) { return {v.x, v.y}; }
LAB_INLINE float2 __half22float2(__half2 p) { return {p.x, p.y}; }
LAB_INLINE __half2 __halves2half2(__half x, __half y) { return {x, y}; }
LAB_INLINE __half2 make_half2(__half x, __half y) { return {x, y}; }
LAB_INLINE __half2 __half2half2(__half x) { return {x, x}; }
LAB_INLINE __half __low2half(__half2 p) { return p.x; }
LAB_INLINE __half __high2half(__half2 p) { return p.y; }
LAB_INLINE __half2 __low2half2(__half2 p) { return {p.x, p.x}; }
LAB_INLINE __half2 __high2half2(__half2 p) { return {p.y, p.y}; }
LAB_INLINE __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
LAB_INLINE __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
LAB_INLINE __half __int2half_rn(int x) { return x; }
LAB_INLINE __half __uint2half_rn(unsigned x) { return x; }
LAB_INLINE __half __short2half_rn(short x) { return x; }
LAB_INLINE int __half2int_rn(__half x) { return static_cast<int>(rintf(x)); }
LAB_INLINE int __half2int_rz(__half x) { return static_cast<int>(static_cast<float>(x)); }
LAB_INLINE unsigned short __half_as_ushort(__half x) { return x.bits; }
LAB_INLINE short __half_as_short(__half x) { return static_cast<short>(x.bits); }
LAB_INLINE __half __ushort_as_half(unsigned short x) { return __half::of_bits(x); }
LAB_INLINE __half __short_as_half(short x) { return __half::of_bits(static_cast<unsigned short>(x)); }
#define CUDART_INF_FP16 (__ushort_as_half(0x7c00))
#define CUDART_ONE_FP16 (__ushort_as_half(0x3c00))
#define CUDART_ZERO_FP16 (__ushort_as_half(0))
