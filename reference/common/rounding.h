// Emulates shorter number formats, for wrong kernels and for explanations.
#pragma once

#include <bit>
#include <cstdint>

namespace harness {

/// Significant bits, with the leading one. The range of the exponent is not emulated.
constexpr int tf32_bits = 11, half_bits = 11, bfloat16_bits = 8, float_bits = 24;

/// Rounds x to the nearest number with `bits` significant bits, ties to even. x must be finite.
constexpr double rounded_to(double x, int bits) {
  const uint64_t dropped = uint64_t{1} << (53 - bits);
  uint64_t raw = std::bit_cast<uint64_t>(x);
  raw += dropped / 2 - 1 + ((raw / dropped) & 1);
  return std::bit_cast<double>(raw & ~(dropped - 1));
}

}  // namespace harness
