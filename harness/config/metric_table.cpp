#include "harness/config/metric_table.h"

#include <fmt/format.h>

namespace harness {
namespace {

using enum MetricInfo::Better;

const std::vector<MetricInfo>& metric_infos() {
  static const std::vector<MetricInfo> all = {
#define X(name, label, unit, better, meaning) {MetricName::name, #name, label, unit, better, meaning},
      HARNESS_METRICS(X)
#undef X
  };
  return all;
}

}  // namespace

std::span<const MetricInfo> metrics() { return metric_infos(); }

const MetricInfo* find_metric(std::string_view name) {
  for (const MetricInfo& metric : metric_infos())
    if (metric.name == name) return &metric;
  return nullptr;
}

std::string_view to_string(MetricName name) { return metric_infos()[static_cast<size_t>(name)].name; }

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const MetricInfo& metric : metric_infos()) names.emplace_back(metric.name);
  return names;
}

std::vector<std::pair<MetricName, MetricInfo>> metrics_info(int lanes, int64_t stated_warps) {
  const std::string warps = lanes == 64 ? "wavefronts" : "warps";
  std::vector<std::pair<MetricName, MetricInfo>> rows;
  for (MetricInfo metric : metric_infos()) {
    const bool counts_warps = metric.id == MetricName::warps_occupied;
    if (counts_warps) metric.label = "occupied " + warps;
    if (stated_warps > 0 && (counts_warps || metric.id == MetricName::efficiency))
      metric.label += fmt::format(" (stated device: {} {} of {} lanes)", stated_warps, warps, lanes);
    rows.emplace_back(metric.id, metric);
  }
  return rows;
}

}  // namespace harness
