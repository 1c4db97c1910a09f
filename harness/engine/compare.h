// Relative metrics: speedups and the share of the vendor's library. They belong to one run: a reused case is compared
// again.
#pragma once

#include <vector>

#include "harness/engine/cases.h"
#include "harness/tables/recorded_baseline.h"

namespace harness {

/// Removes metrics and notes in which another run compared the case with others.
void forget_comparisons(CaseRecord& record);

/// total_ms; on a CPU, where nothing is copied, kernel_ms.
const Metric* total_time(const CaseRecord& record);

/// How many times faster than `base` the case is; paired if both were timed in the same rounds.
Metric speedup_over(const CaseRecord& base, const CaseRecord& record);

/// Adds speedup and speedup_total. The baseline is the one in `group`, with paired samples if both were timed in the
/// same rounds. Without one it is the case `elsewhere` (another device or sweep), unpaired.
void derive_speedups(const std::string& baseline, const std::vector<CaseState*>& group,
                     const CaseState* elsewhere = nullptr);

/// Adds percent_of_vendor, relative to the first of `vendors` that is in `group` and has the precision of the case.
void derive_vendor_share(const std::vector<std::string>& vendors, const std::vector<CaseState*>& group);

/// The measured case of the baseline with the same problem as `with`, or null. Prefers the same sweep, then the same
/// number of threads.
const CaseState* baseline_elsewhere(const std::string& baseline, const std::vector<CaseState>& cases,
                                    const CaseState& with);

/// speedup_recorded of one case: the table's time over total time, copies included.
void derive_recorded_speedup(const RecordedTable& table, CaseRecord& record);

/// Adds a note to the first case without a row in each sweep. It names all points without a row.
void note_missing(const RecordedTable& table, std::vector<CaseState>& cases);

}  // namespace harness
