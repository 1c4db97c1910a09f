// Which device GPU variants run on, and how the emulated one behaves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/build/toolchain.h"

namespace harness {

struct DeviceOptions {
  std::string gpu = "auto";             // or the name of a toolchain
  bool emulates = true;                 // "auto" without a GPU; else GPU variants are skipped
  std::string schedule = "mixed";       // of the emulated device: "mixed", "in_order" or "random:7"
  int lanes = 32;                       // of a warp
  Watch watch = Watch::diagnostics;
};

/// From the words of the command line. An empty word means the default above.
Result<DeviceOptions> parse_device_options(const std::string& gpu, const std::string& schedule,
                                           const std::string& lanes, const std::string& diagnostics);

/// The toolchain for GPU variants: the one in the options, or that of the GPU, or that of the emulated device.
const Toolchain* choose_gpu_toolchain(const DeviceOptions& options, const GpuInfo* gpu);

/// For people: "mixed", "in order" or "random:7".
std::string schedule_name(const DeviceOptions& options);

/// The options that decide what an emulated device does. They are part of a case's key.
std::string emulated_options(const DeviceOptions& options);

}  // namespace harness
