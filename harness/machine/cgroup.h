// The limits of this process's control group. Containers and batch systems set them, and /proc does not show them.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/base/files.h"

namespace harness {

struct CgroupLimits {
  std::optional<double> cpus;           // quota over period; absent: no limit
  std::optional<int64_t> memory_bytes;  // absent: no limit
};

/// The tightest limit from our group up to the root, in version 1, version 2 and hybrid trees.
CgroupLimits cgroup_limits(const fs::path& root = "/");

}  // namespace harness
