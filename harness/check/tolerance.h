// How far an output may lie from the reference, for a problem, its data and the precision that a variant declares.
#pragma once

#include <cmath>

#include "harness/check/check.h"

#ifdef __FAST_MATH__
#error "the check is meaningless under fast-math: the compiler may drop tests for NaN"
#endif

namespace harness {

/// |got - want| <= factor * scale + u_stored * |want|, or got == want. `old` is the part of `want` that comes from the output's old
/// value. If there is one, the rest may be rounded to the type of the output before it is added, as cuBLAS does in bfloat16.
struct Tolerance {
  bool exact = false;
  bool uniform = false;  // normwise: `scale` is the largest one of all cells
  double u = 0, u_in = 0;
  double u_stored = 0;  // when a result is rounded to a shorter type
  double factor = 0;  // (6 sqrt(K) u + 2 u_in), Higham & Mary's probabilistic constant with a margin
  double factor_gamma = 0;  // gamma_(K+2) + 2 u_in, gamma_n = n u / (1 - n u), Higham (3.13): no right sum exceeds it;
                            // 0 if (K + 2) u >= 1

  Tolerance(const Problem& problem, Fill fill, const Precision& precision);

  double bound(double want, double scale, double old = 0) const { return exact ? 0 : rounding(want, scale, old); }
  /// NaN is never near.
  bool near(double got, double want, double scale, double old = 0) const {
    return exact ? got == want : std::abs(got - want) <= rounding(want, scale, old);
  }
  /// What roundings may change, also for data with exact sums.
  double rounding(double want, double scale, double old = 0) const { return factor * scale + stored(want, old) + u_stored * factor * scale; }
  /// What rounding to the type of the output may change.
  double stored(double want, double old) const { return u_stored * (std::abs(want) + (old == 0 ? 0 : std::abs(want - old))); }
  /// For CheckResult::worst_ratio.
  double ratio(double got, double want, double scale, double old = 0) const;
};

/// Element `index` of a buffer: its value, and its bits in the low part or all of the number.
double load(Dtype dtype, const std::byte* buffer, int64_t index);
void store(Dtype dtype, std::byte* buffer, int64_t index, double value);
uint64_t load_bits(Dtype dtype, const std::byte* buffer, int64_t index);
/// Looks at the bits, so that no compiler flag can remove the test.
bool is_finite(Dtype dtype, const std::byte* buffer, int64_t index);

}  // namespace harness
