// Keeps measured limits, and what a GPU has, in files. Several machines may share it, as in a cluster.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/files.h"
#include "harness/machine/machine.h"

namespace harness {

/// Nothing if there is no file of this format, or no such key in it.
std::optional<std::vector<MachineLimit>> read_limits(const fs::path& path, const std::string& key);

/// Keeps the entries of other machines. If two processes write at once, one entry is lost and measured again later.
Done write_limits(const fs::path& path, const std::string& key, const std::vector<MachineLimit>& limits);

/// The same for what a GPU has, in a file of its own.
std::optional<GpuCapacity> read_capacity(const fs::path& path, const std::string& key);
Done write_capacity(const fs::path& path, const std::string& key, const GpuCapacity& capacity);

}  // namespace harness
