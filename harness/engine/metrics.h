// Metrics derived from the samples of one case: rates, and the share of the machine's limits.
#pragma once

#include <limits>
#include <vector>

#include "harness/engine/cases.h"

namespace harness {

/// What this machine can do at most.
struct MachineLimits {
  std::vector<MachineLimit> all;
  int64_t cpu_cache_bytes = 0, gpu_cache_bytes = 0;  // the last level
  double cpu_faster = std::numeric_limits<double>::infinity();  // most_faster() of the CPU (engine/limits.h)
};

/// The median of samples with its interval.
Metric metric_of(const std::vector<double>& samples);

/// The measured limit that does not allow the time of the case, or null.
const MachineLimit* beaten_limit(const MachineLimits& limits, const CaseState& state);

/// Adds kernel_ms, gflops, gbytes_s, percent_of_limit, total_ms and gflops_total to the record, and to the evidence how
/// much the samples scatter and which limit they beat.
void derive_metrics(const MachineLimits& limits, CaseState& state);

/// Adds percent_of_limit_at_clock if a limit of arithmetic decides, and both the clock and the GPU's highest are known.
void derive_share_at_clock(const Machine& machine, CaseRecord& record);

}  // namespace harness
