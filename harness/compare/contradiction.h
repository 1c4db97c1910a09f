// Compares the metrics of a run with its samples. Somebody may have changed one of the two.
#pragma once

#include <optional>
#include <string>

#include "harness/store/run_record.h"

namespace harness {

/// Why the metrics of a case do not follow from its samples, or its work is not that of the same case `again`: "the original says
/// 500 us, and its samples say 1 ms". Metrics that have no samples in the run (copies, the first call) may be anything.
std::optional<std::string> contradiction(const RunRecord& run, const CaseRecord& record, const CaseRecord& again);

}  // namespace harness
