// The part of noise_snapshot() that comes from the Linux kernel.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/files.h"

namespace harness {

nlohmann::json cpu_noise(const fs::path& root = "/");

/// Processes that were ready to run in the minute before this snapshot; 0: not known.
double load_of(const nlohmann::json& noise);
/// A sentence if more processes than cores were ready to run when this snapshot was taken.
std::optional<std::string> busy_machine(const nlohmann::json& noise, int cores);

/// Sums over all cores since the machine was started.
struct CpuTime {
  double busy_s = 0;    // time in which a core worked
  double stolen_s = 0;  // steal: time in which the host ran something else
};
/// From the text of /proc/stat.
std::optional<CpuTime> parse_cpu_time(std::string_view stat);
/// CpuTime::stolen_s now; 0 if the Linux kernel does not tell.
double stolen_s();

}  // namespace harness
