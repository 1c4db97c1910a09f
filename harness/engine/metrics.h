// Numbers derived from the samples of one case: rates, shares of the machine's limits.
#pragma once

#include "harness/engine/context.h"

namespace harness {

/// The measured limit that does not allow the case's time, or null.
const MachineLimit* beaten_limit(const Context& context, const CaseState& state);

/// kernel_ms, gflops, gbytes_s, percent_of_limit, total_ms, gflops_total from record.samples_ms. A case
/// faster than the measured limits allow becomes SUSPECT.
void derive_metrics(const Context& context, CaseState& state);

}  // namespace harness
