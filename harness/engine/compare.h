// What a case is worth beside others: speedups, share of the vendor's library. Nothing here outlives a run: a
// reused case is compared anew.
#pragma once

#include <vector>

#include "harness/engine/context.h"

namespace harness {

/// Takes off what another run compared the case with.
void forget_comparisons(CaseRecord& record);

const Metric* find_metric_of(const CaseRecord& record, MetricName name);
/// total_ms; on a CPU, where nothing is copied, kernel_ms.
const Metric* total_time(const CaseRecord& record);

/// speedup and speedup_total over the baseline variant: that among `group`, paired where both were timed in
/// the same rounds; else the case `elsewhere` (another device or sweep), unpaired.
void derive_speedups(const std::string& baseline, const std::vector<CaseState*>& group,
                     const CaseState* elsewhere = nullptr);

/// percent_of_vendor over the first of `vendors` that is in `group`.
void derive_vendor_share(const std::vector<std::string>& vendors, const std::vector<CaseState*>& group);

/// Of all cases of this baseline that are measured, the one to compare `with`: same problem, the same sweep
/// and threads first.
const CaseState* baseline_elsewhere(const std::string& baseline, const std::vector<CaseState>& cases,
                                    const CaseState& with);

}  // namespace harness
