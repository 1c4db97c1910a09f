// The only list of metrics that a table or plot can show, with names, units and meaning.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

enum class MetricName {
  kernel_ms,
  total_ms,
  h2d_ms,
  d2h_ms,
  alloc_ms,
  first_call_ms,
  gflops,
  gflops_total,
  gbytes_s,
  speedup,
  speedup_total,
  speedup_recorded,
  percent_of_limit,
  percent_of_vendor,
  warps_occupied,
  efficiency,
};

struct MetricInfo {
  MetricName id;
  std::string_view name;   // "kernel_ms": as in a config and in run.json
  std::string_view label;  // "kernel time": as on an axis or above a column
  std::string_view unit;   // "ms", empty for a pure number
  enum class Better { lower, higher } better;
  std::string_view doc;
};

std::span<const MetricInfo> metrics();
const MetricInfo* find_metric(std::string_view name);
std::string_view to_string(MetricName name);
std::vector<std::string> metric_names();

/// {"kernel_ms": {"label": "kernel time", "unit": "ms", "better": "lower", "doc": "..."}, ...}
/// Warps of 64 lanes are called wavefronts. Labels of metrics that use `stated_warps` say so.
nlohmann::json metrics_to_json(int lanes = 32, int64_t stated_warps = 0);

}  // namespace harness
