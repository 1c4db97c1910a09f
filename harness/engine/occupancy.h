// How much of a GPU a launch can occupy, and the speedup divided by that.
#pragma once

#include "harness/client/client.h"
#include "harness/config/config.h"
#include "harness/store/records.h"

namespace harness {

/// warps_occupied = min(maximum of the device, blocks x ceil(threads per block / lanes)) of a launch that the variant
/// declares (LAB_GEMM_LAUNCH). `device` is what its worker saw. Nothing if the launch or the device is unknown.
std::optional<Metric> occupied_warps(const protocol::LaunchShape& launch, const lab_device_info& device,
                                     const StatedDevice& stated);

/// Computes warps_occupied again, because the config may state another device than when the case was measured. Adds
/// efficiency, with a note if it is over 1.
void derive_efficiency(const Config& config, CaseRecord& record);

}  // namespace harness
