// How much of a GPU a launch can occupy, and the speedup by it.
#pragma once

#include "harness/engine/context.h"

namespace harness {

/// warps_occupied = min(device maximum, blocks x ceil(threads a block / lanes)), of a launch that the variant
/// told (LAB_GEMM_LAUNCH). `device`: as its worker saw it. Nothing where the launch or the device is unknown.
std::optional<Metric> occupied_warps(const protocol::LaunchShape& launch, const lab_device_info& device,
                                     const StatedDevice& stated);

/// The same again for a case that the store knew, whatever was stated when it was measured; then efficiency,
/// with a note where it is over 1.
void derive_efficiency(const Config& config, CaseRecord& record);

}  // namespace harness
