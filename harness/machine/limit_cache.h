// Measured limits in a file that several machines may share, as those of a cluster do.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/files.h"
#include "harness/machine/machine.h"

namespace harness {

/// Nothing if the file, or the key in it, is not there or not ours.
std::optional<std::vector<MachineLimit>> read_limits(const fs::path& path, const std::string& key);

/// Keeps what other machines wrote. Two writers at once: one of them measures again next time.
Done write_limits(const fs::path& path, const std::string& key, const std::vector<MachineLimit>& limits);

}  // namespace harness
