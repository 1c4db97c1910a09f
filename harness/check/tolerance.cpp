#include "harness/check/tolerance.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "lab/bf16.h"

namespace harness {

namespace {

/// Transforms like Winograd's F(4x4, 3x3) amplify rounding about tenfold (MIOpen grants them 10 as well).
constexpr double normwise_growth = 10;

}  // namespace

Tolerance::Tolerance(const Problem& problem, Fill fill, const Precision& precision) {
  const double k = static_cast<double>(problem.reduction_length());
  uniform = precision.normwise;
  u = precision.u > 0 ? precision.u : unit_roundoff(problem.dtype());
  u_in = precision.u_in;
  u_stored = stored_roundoff(problem.dtype());
  const double most = (k + 2) * u;  // alpha and the addition of beta C are rounded, too
  factor_gamma = most < 1 ? most / (1 - most) + 2 * u_in : 0;
  exact = fill == Fill::integers && !uniform && problem.exact_possible(u, u_in);
  if (uniform) u *= normwise_growth;
  factor = 6 * std::sqrt(k) * u + 2 * u_in;
}

double Tolerance::ratio(double got, double want, double scale, double old) const {
  const double difference = std::abs(got - want);
  if (difference == 0) return 0;
  const double unit = exact ? std::max(u, u_stored) * scale : rounding(want, scale, old);
  const double r = difference / unit;
  return r <= std::numeric_limits<double>::max() ? r : std::numeric_limits<double>::max();  // NaN too
}

double load(Dtype dtype, const std::byte* buffer, int64_t index) {
  const uint64_t bits = load_bits(dtype, buffer, index);
  if (dtype == Dtype::f64) return std::bit_cast<double>(bits);
  return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(dtype == Dtype::bf16 ? bits << 16 : bits)));
}

void store(Dtype dtype, std::byte* buffer, int64_t index, double value) {
  const auto copy = [&](auto x) { std::memcpy(buffer + index * static_cast<int64_t>(sizeof x), &x, sizeof x); };
  if (dtype == Dtype::f64) return copy(value);
  const auto rounded = static_cast<float>(value);
  dtype == Dtype::f32 ? copy(rounded) : copy(bf16(rounded));
}

uint64_t load_bits(Dtype dtype, const std::byte* buffer, int64_t index) {
  uint64_t bits = 0;  // all machines of this project are little-endian
  std::memcpy(&bits, buffer + index * static_cast<int64_t>(size_of(dtype)), size_of(dtype));
  return bits;
}

bool is_finite(Dtype dtype, const std::byte* buffer, int64_t index) {
  const uint64_t exponent = dtype == Dtype::f64 ? 0x7ff0000000000000u : dtype == Dtype::f32 ? 0x7f800000u : 0x7f80u;
  return (load_bits(dtype, buffer, index) & exponent) != exponent;
}

}  // namespace harness
