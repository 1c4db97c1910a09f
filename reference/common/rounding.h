// Emulates shorter number formats, for wrong kernels and for explanations.
#pragma once

#include <bit>
#include <cstdint>

namespace harness {

/// Significant bits, with the leading one. The range of the exponent is not emulated.
constexpr int tf32_bits = 11, half_bits = 11, bfloat16_bits = 8, float_bits = 24;

/// How a number between two shorter ones is rounded. The first two differ for ties only.
enum class Rounding { nearest_even, nearest_away, toward_zero };

/// Rounds x to `bits` significant bits. x must be finite.
constexpr double rounded_to(double x, int bits, Rounding rounding = Rounding::nearest_even) {
  const uint64_t dropped = uint64_t{1} << (53 - bits);
  uint64_t raw = std::bit_cast<uint64_t>(x);
  if (rounding == Rounding::nearest_even)
    raw += dropped / 2 - 1 + ((raw / dropped) & 1);
  else if (rounding == Rounding::nearest_away)
    raw += dropped / 2;
  return std::bit_cast<double>(raw & ~(dropped - 1));
}

}  // namespace harness
