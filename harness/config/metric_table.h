// The only list of metrics that a table or plot can show, with names, units and meaning.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/enums.h"

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
  MetricName id = MetricName::kernel_ms;
  std::string name;   // "kernel_ms": as in a config and in run.json
  std::string label;  // "kernel time": as on an axis or above a column
  std::string unit;   // "ms", empty for a pure number
  enum class Better { lower, higher } better = Better::lower;
  std::string doc;
};
template <>
struct Spelling<MetricInfo::Better> {
  static constexpr std::string_view words[] = {"lower", "higher"};
};

std::span<const MetricInfo> metrics();
const MetricInfo* find_metric(std::string_view name);
std::string_view to_string(MetricName name);
std::vector<std::string> metric_names();

/// The metrics by name, for run.json. Warps of 64 lanes are called wavefronts. Labels of metrics that use
/// `stated_warps` say so.
std::vector<std::pair<MetricName, MetricInfo>> metrics_info(int lanes = 32, int64_t stated_warps = 0);

}  // namespace harness
