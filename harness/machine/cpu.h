// The processor as the kernel describes it.
#pragma once

#include <string_view>

#include "harness/base/files.h"
#include "harness/machine/machine.h"

namespace harness {

/// Model, vendor and vector features from the text of /proc/cpuinfo, which lists only what the kernel lets
/// programs use.
CpuInfo parse_cpuinfo(std::string_view text);

/// All of it: also caches, governor, turbo, and the cores that affinity and the control group leave us.
CpuInfo inspect_cpu(const fs::path& root = "/");

}  // namespace harness
