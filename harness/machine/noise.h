// The part of noise_snapshot() that the kernel tells.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "harness/base/files.h"

namespace harness {

nlohmann::json cpu_noise(const fs::path& root = "/");

/// Of all cores since the start of the machine.
struct CpuTime {
  double busy_s = 0;    // worked, for anybody
  double stolen_s = 0;  // other virtual machines had the core that ours wanted
};
/// From the text of /proc/stat.
std::optional<CpuTime> parse_cpu_time(std::string_view stat);

}  // namespace harness
