// Numbers derived from samples: rates, shares of the machine's limits, ratios between the cases of a group.
#pragma once

#include <vector>

#include "harness/engine/context.h"

namespace harness {

/// kernel_ms, gflops, gbytes_s, percent_of_limit, total_ms from record.samples_ms. A case faster than the
/// measured limits allow becomes SUSPECT.
void derive_metrics(const Context& context, CaseState& state);
/// speedup over the baseline variant among `group`: paired where both were timed in the same rounds.
void derive_speedups(const std::string& baseline, const std::vector<CaseState*>& group);

}  // namespace harness
