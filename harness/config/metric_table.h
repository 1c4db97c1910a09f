// Everything a table or a plot can show: the one list of metrics, their names, units and meaning.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

struct MetricInfo {
  std::string_view name;   // "kernel_ms": as in a config and in run.json
  std::string_view label;  // "kernel time": as on an axis or above a column
  std::string_view unit;   // "ms", empty for a pure number
  enum class Better { lower, higher } better;
  std::string_view doc;
};

std::span<const MetricInfo> metrics();
const MetricInfo* find_metric(std::string_view name);
std::vector<std::string> metric_names();

/// {"kernel_ms": {"label": "kernel time", "unit": "ms", "better": "lower", "doc": "..."}, ...}
/// Warps of 64 lanes are called wavefronts; what rests on `stated_warps` of a device says so.
nlohmann::json metrics_to_json(int lanes = 32, int64_t stated_warps = 0);

}  // namespace harness
