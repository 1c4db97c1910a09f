#pragma once
#include "emulator/device/runtime.h"
#include "emulator/device/small_float.h"

using __nv_bfloat16 = lab::emulated::Small<8>;
using __nv_bfloat162 = lab::emulated::Pair<8>;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

LAB_INLINE __nv_bfloat16 __float2bfloat16(float x) { return x; }
LAB_INLINE __nv_bfloat16 __float2bfloat16_rn(float x) { return x; }
LAB_INLINE __nv_bfloat16 __double2bfloat16(double x) { return x; }
LAB_INLINE float __bfloat162float(__nv_bfloat16 x) { return x; }
LAB_INLINE __nv_bfloat162 __float2bfloat162_rn(float x) { return {x, x}; }
LAB_INLINE __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return {x, y}; }
LAB_INLINE __nv_bfloat162 __float22bfloat162_rn(float2 v) { return {v.x, v.y}; }
LAB_INLINE float2 __bfloat1622float2(__nv_bfloat162 p) { return {p.x, p.y}; }
LAB_INLINE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
LAB_INLINE __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
LAB_INLINE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return {x, x}; }
LAB_INLINE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 p) { return p.x; }
LAB_INLINE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 p) { return p.y; }
LAB_INLINE __nv_bfloat16 __int2bfloat16_rn(int x) { return x; }
LAB_INLINE int __bfloat162int_rn(__nv_bfloat16 x) { return static_cast<int>(rintf(x)); }
LAB_INLINE int __bfloat162int_rz(__nv_bfloat16 x) { return static_cast<int>(static_cast<float>(x)); }
LAB_INLINE unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.bits; }
LAB_INLINE __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { return __nv_bfloat16::of_bits(x); }
