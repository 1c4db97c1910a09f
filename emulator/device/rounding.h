// CUDA's functions that name their rounding: _rz to zero, _ru up, _rd down. The nearest, _rn, is what C++ does anyway.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "emulator/device/kernel.h"

extern "C" {
typedef enum lab_operation { lab_add, lab_subtract, lab_multiply, lab_divide, lab_multiply_add, lab_square_root } lab_operation;
typedef enum lab_rounding { lab_to_zero, lab_up, lab_down } lab_rounding;
float lab_rounded_float(lab_operation, lab_rounding, float x, float y, float z);
double lab_rounded_double(lab_operation, lab_rounding, double x, double y, double z);
}

namespace lab::emulated {

/// `x` as a T. A long double holds each number of 64 bits.
template <class T, class From>
LAB_INLINE T converted(lab_rounding rounding, From x) {
  const T nearest = static_cast<T>(x);
  const long double error = static_cast<long double>(x) - static_cast<long double>(nearest);
  const bool goes_up = rounding == lab_up || (rounding == lab_to_zero && nearest < 0);
  if (goes_up && error > 0) return std::nextafter(nearest, std::numeric_limits<T>::infinity());
  if (!goes_up && error < 0) return std::nextafter(nearest, -std::numeric_limits<T>::infinity());
  return nearest;
}

/// `x`, which is rounded, as a whole number: the nearest one if there is none, and PTX's number for NaN.
template <class I, class T>
LAB_INLINE I whole(T x) {
  if (x != x) return sizeof(T) == 4 && sizeof(I) == 4 ? I{0} : static_cast<I>(1ull << (8 * sizeof(I) - 1));
  constexpr T limit = static_cast<T>(std::numeric_limits<I>::max() / 2 + 1) * 2;
  if (x >= limit) return std::numeric_limits<I>::max();
  return x < static_cast<T>(std::numeric_limits<I>::min()) ? std::numeric_limits<I>::min() : static_cast<I>(x);
}

}  // namespace lab::emulated

#define LAB_ARITHMETIC(T, two, three, suffix, rounding)                                                                       \
  LAB_INLINE T __##two##add_##suffix(T x, T y) { return lab_rounded_##T(lab_add, rounding, x, y, 0); }                        \
  LAB_INLINE T __##two##sub_##suffix(T x, T y) { return lab_rounded_##T(lab_subtract, rounding, x, y, 0); }                   \
  LAB_INLINE T __##two##mul_##suffix(T x, T y) { return lab_rounded_##T(lab_multiply, rounding, x, y, 0); }                   \
  LAB_INLINE T __##two##div_##suffix(T x, T y) { return lab_rounded_##T(lab_divide, rounding, x, y, 0); }                     \
  LAB_INLINE T __##two##rcp_##suffix(T x) { return lab_rounded_##T(lab_divide, rounding, 1, x, 0); }                          \
  LAB_INLINE T __##two##sqrt_##suffix(T x) { return lab_rounded_##T(lab_square_root, rounding, x, 0, 0); }                    \
  LAB_INLINE T __##three##_##suffix(T x, T y, T z) { return lab_rounded_##T(lab_multiply_add, rounding, x, y, z); }
#define LAB_FROM(From, from, T, to)                                                                            \
  LAB_INLINE T __##from##2##to##_rn(From x) { return static_cast<T>(x); }                                      \
  LAB_INLINE T __##from##2##to##_rz(From x) { return lab::emulated::converted<T>(lab_to_zero, x); }            \
  LAB_INLINE T __##from##2##to##_ru(From x) { return lab::emulated::converted<T>(lab_up, x); }                 \
  LAB_INLINE T __##from##2##to##_rd(From x) { return lab::emulated::converted<T>(lab_down, x); }
#define LAB_WHOLE(T, from, I, to)                                                                   \
  LAB_INLINE I __##from##2##to##_rn(T x) { return lab::emulated::whole<I>(std::nearbyint(x)); }     \
  LAB_INLINE I __##from##2##to##_rz(T x) { return lab::emulated::whole<I>(std::trunc(x)); }         \
  LAB_INLINE I __##from##2##to##_ru(T x) { return lab::emulated::whole<I>(std::ceil(x)); }          \
  LAB_INLINE I __##from##2##to##_rd(T x) { return lab::emulated::whole<I>(std::floor(x)); }
#define LAB_ALL(T, from, two, three)             \
  LAB_ARITHMETIC(T, two, three, rz, lab_to_zero) \
  LAB_ARITHMETIC(T, two, three, ru, lab_up)      \
  LAB_ARITHMETIC(T, two, three, rd, lab_down)    \
  LAB_FROM(long long, ll, T, from)               \
  LAB_FROM(unsigned long long, ull, T, from)     \
  LAB_WHOLE(T, from, int, int)                   \
  LAB_WHOLE(T, from, unsigned, uint)             \
  LAB_WHOLE(T, from, long long, ll)              \
  LAB_WHOLE(T, from, unsigned long long, ull)
LAB_ALL(float, float, f, fmaf)
LAB_ALL(double, double, d, fma)
LAB_FROM(int, int, float, float)
LAB_FROM(unsigned, uint, float, float)
LAB_FROM(double, double, float, float)
#undef LAB_ARITHMETIC
#undef LAB_FROM
#undef LAB_WHOLE
#undef LAB_ALL
LAB_INLINE double __int2double_rn(int x) { return x; }
LAB_INLINE double __uint2double_rn(unsigned x) { return x; }
