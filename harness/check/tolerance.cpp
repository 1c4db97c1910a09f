#include "harness/check/tolerance.h"

#include <cmath>
#include <cstring>
#include <limits>

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
  const double most = (k + 2) * u;  // alpha and the addition of beta C are rounded, too
  factor_gamma = most < 1 ? most / (1 - most) + 2 * u_in : 0;
  exact = fill == Fill::integers && !uniform && problem.exact_possible(u, u_in);
  if (uniform) u *= normwise_growth;
  factor = 6 * std::sqrt(k) * u + 2 * u_in;
}

double Tolerance::ratio(double got, double want, double scale) const {
  const double difference = std::abs(got - want);
  if (difference == 0) return 0;
  const double unit = exact ? u * scale : factor * scale;
  const double r = difference / unit;
  return r <= std::numeric_limits<double>::max() ? r : std::numeric_limits<double>::max();  // NaN too
}

double load(Dtype dtype, const std::byte* buffer, int64_t index) {
  if (dtype == Dtype::f32) {
    float x;
    std::memcpy(&x, buffer + index * 4, sizeof x);
    return static_cast<double>(x);
  }
  double x;
  std::memcpy(&x, buffer + index * 8, sizeof x);
  return x;
}

uint64_t load_bits(Dtype dtype, const std::byte* buffer, int64_t index) {
  if (dtype == Dtype::f64) {
    uint64_t bits;
    std::memcpy(&bits, buffer + index * 8, sizeof bits);
    return bits;
  }
  uint32_t bits;
  std::memcpy(&bits, buffer + index * 4, sizeof bits);
  return bits;
}

bool is_finite(Dtype dtype, const std::byte* buffer, int64_t index) {
  const uint64_t exponent = dtype == Dtype::f32 ? 0x7f800000u : 0x7ff0000000000000u;
  return (load_bits(dtype, buffer, index) & exponent) != exponent;
}

}  // namespace harness
