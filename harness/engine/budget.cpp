#include "harness/engine/budget.h"

#include <algorithm>

namespace harness {

double Budget::per_case_s(double most_s, double must_s, int open) const {
  if (!seconds_) return most_s;
  // A tenth stays for proofs, ceilings and the report.
  const double left = 0.9 * *seconds_ - elapsed_s() - must_s;
  return std::clamp(left / std::max(open, 1), 0.0, most_s);
}

}  // namespace harness
