#include "harness/grade/late.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/base/text.h"

namespace harness {

Lateness lateness(const LatePolicy& policy, double late_s) {
  if (late_s <= policy.grace_s) return {};
  constexpr double day_s = 24 * 3600;
  const double days = std::ceil(late_s / day_s);
  const std::string late = fmt::format("handed in {} after the deadline", human_time(std::ceil(late_s / 60) * 60));
  if (policy.cut_off_s && late_s > *policy.cut_off_s)
    return {0, fmt::format("{}, more than {}: no points", late, human_time(*policy.cut_off_s))};
  return {std::max(0.0, 1 - policy.per_day * days), late};
}

}  // namespace harness
