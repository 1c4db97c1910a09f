// Intervals at another level than 95 %, for several comparisons at the same time.
#pragma once

#include "harness/measure/statistics.h"

namespace harness {

/// As summarize(), but the interval misses the median with probability `alpha` at most; absent if that takes more samples.
Summary summarize_at(std::span<const double> samples, double alpha);

}  // namespace harness
