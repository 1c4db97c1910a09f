// How many times faster one case is than another.
#pragma once

#include "harness/measure/statistics.h"
#include "harness/store/records.h"

namespace harness {

/// Whether the two were timed in the same rounds of one group.
enum class Timed { together, apart };

/// The share of its times that a ratio must allow for: the spread of a call's overhead, or what the clock of a GPU does not
/// resolve.
double unknown_share(const CaseRecord& record);

/// From paired samples if both were timed together and have enough common rounds, else from the two medians. The level
/// of a paired interval is divided by `comparisons`.
Ratio case_ratio(const CaseRecord& faster, const CaseRecord& than, Timed timed, int comparisons);

}  // namespace harness
