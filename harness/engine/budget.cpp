#include "harness/engine/budget.h"

#include <algorithm>

namespace harness {

// Enough for a handful of samples of a short kernel, even when long ones have eaten the budget.
constexpr double least_s = 0.1;

double Budget::per_case_s(double most_s, double must_s, int open) const {
  if (!seconds_) return most_s;
  // A tenth stays for proofs, limits and the report.
  const double left = 0.9 * *seconds_ - elapsed_s() - must_s;
  return std::clamp(left / std::max(open, 1), std::min(least_s, most_s), most_s);
}

}  // namespace harness
