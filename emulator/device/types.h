// Qualifiers and vector types.
#pragma once

#ifdef LAB_EMULATED_VARIANT
// Before any header declares them: what a variant does with these is watched (hooks.cpp).
extern "C" {
void* memcpy(void*, const void*, __SIZE_TYPE__) noexcept __asm__("lab_memcpy");
void* memmove(void*, const void*, __SIZE_TYPE__) noexcept __asm__("lab_memmove");
void* memset(void*, int, __SIZE_TYPE__) noexcept __asm__("lab_memset");
wchar_t* wmemcpy(wchar_t*, const wchar_t*, __SIZE_TYPE__) noexcept __asm__("lab_wmemcpy");
wchar_t* wmemmove(wchar_t*, const wchar_t*, __SIZE_TYPE__) noexcept __asm__("lab_wmemmove");
wchar_t* wmemset(wchar_t*, wchar_t, __SIZE_TYPE__) noexcept __asm__("lab_wmemset");
#define LAB_RESULTS_BY_POINTER(T, suffix)                                              \
  T modf##suffix(T, T*) noexcept __asm__("lab_modf" #suffix);                          \
  T frexp##suffix(T, int*) noexcept __asm__("lab_frexp" #suffix);                      \
  T remquo##suffix(T, T, int*) noexcept __asm__("lab_remquo" #suffix);                 \
  void sincos##suffix(T, T*, T*) noexcept __asm__("lab_sincos" #suffix);
LAB_RESULTS_BY_POINTER(double, )
LAB_RESULTS_BY_POINTER(float, f)
#undef LAB_RESULTS_BY_POINTER
}
#endif

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define __CUDACC__ 1
#define __CUDA_ARCH__ 900
#define CUDART_VERSION 13000
// Names by which other headers know that CUDA's have been read.
#define __DRIVER_TYPES_H__
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define CUDARTAPI
#define CUDART_CB

#define __grid_constant__
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __builtin_assume(condition) ((void)0)
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
// The rewriter takes these out. Each is as long as CUDA's word, so that what follows keeps its column.
#define __global__ LAB_GLOBAL
#ifdef LAB_EMULATED_VARIANT
#define __device__ LAB_DEVICE
#define __host__ LAB_HOST
#define __constant__ LAB_CONSTANT
#define __managed__ LAB_MANAGED
#else
#define __device__
#define __host__
#define __constant__
#define __managed__
#endif
// The rewriter turns LAB_SHARED_ into a reference to the memory of the block.
#define __shared__ LAB_SHARED_

#define LAB_VECTORS(T, name, two, four)                                 \
  struct name##1 {                                                      \
    T x;                                                                \
  };                                                                    \
  struct alignas(two) name##2 {                                         \
    T x, y;                                                             \
  };                                                                    \
  struct name##3 {                                                      \
    T x, y, z;                                                          \
  };                                                                    \
  struct alignas(four) name##4 {                                        \
    T x, y, z, w;                                                       \
  };                                                                    \
  constexpr name##1 make_##name##1(T x) { return {x}; }                 \
  constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }         \
  constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
  constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

LAB_VECTORS(signed char, char, 2, 4)
LAB_VECTORS(unsigned char, uchar, 2, 4)
LAB_VECTORS(short, short, 4, 8)
LAB_VECTORS(unsigned short, ushort, 4, 8)
LAB_VECTORS(int, int, 8, 16)
LAB_VECTORS(unsigned, uint, 8, 16)
LAB_VECTORS(long, long, 16, 16)
LAB_VECTORS(unsigned long, ulong, 16, 16)
LAB_VECTORS(long long, longlong, 16, 16)
LAB_VECTORS(unsigned long long, ulonglong, 16, 16)
LAB_VECTORS(float, float, 8, 16)
LAB_VECTORS(double, double, 16, 16)
#undef LAB_VECTORS

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
