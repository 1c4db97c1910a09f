// Arithmetic that rounds up, down or to zero. The processor does it; `volatile` keeps the compiler from doing it before.
#include <cfenv>
#include <cmath>

#include "emulator/device/rounding.h"

namespace {

template <class T>
T compute(lab_operation operation, const volatile T& x, const volatile T& y, const volatile T& z) {
  switch (operation) {
    case lab_add: return x + y;
    case lab_subtract: return x - y;
    case lab_multiply: return x * y;
    case lab_divide: return x / y;
    case lab_multiply_add: return std::fma(static_cast<T>(x), static_cast<T>(y), static_cast<T>(z));
    case lab_square_root: break;
  }
  return std::sqrt(static_cast<T>(x));
}

template <class T>
T rounded(lab_operation operation, lab_rounding rounding, T given_x, T given_y, T given_z) {
  const volatile T x = given_x, y = given_y, z = given_z;
  const int before = std::fegetround();
  std::fesetround(rounding == lab_up ? FE_UPWARD : rounding == lab_down ? FE_DOWNWARD : FE_TOWARDZERO);
  const volatile T result = compute<T>(operation, x, y, z);
  std::fesetround(before);
  return result;
}

}  // namespace

float lab_rounded_float(lab_operation operation, lab_rounding rounding, float x, float y, float z) {
  return rounded(operation, rounding, x, y, z);
}
double lab_rounded_double(lab_operation operation, lab_rounding rounding, double x, double y, double z) {
  return rounded(operation, rounding, x, y, z);
}
