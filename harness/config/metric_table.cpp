#include "harness/config/metric_table.h"

#include <fmt/format.h>

namespace harness {
namespace {

using enum MetricInfo::Better;

#define METRIC(name) MetricName::name, #name
// In the order of MetricName.
const std::vector<MetricInfo>& table() {
  static const std::vector<MetricInfo> all = {
      {METRIC(kernel_ms), "kernel time", "ms", lower, "one call with its data in place, without set-up and copies"},
      {METRIC(total_ms), "total time", "ms", lower, "copies to the device, one call and copies back"},
      {METRIC(h2d_ms), "host-to-device copy", "ms", lower, "copies of all inputs to the device"},
      {METRIC(d2h_ms), "device-to-host copy", "ms", lower, "copy of the output from the device"},
      {METRIC(alloc_ms), "allocation", "ms", lower, "allocation of all buffers"},
      {METRIC(first_call_ms), "first call", "ms", lower,
       "the first call of a new process with its data in place: with the set-up of libraries, without copies"},
      {METRIC(gflops), "arithmetic rate", "GFLOP/s", higher, "operations of the problem over kernel time"},
      {METRIC(gflops_total), "arithmetic rate, copies included", "GFLOP/s", higher,
       "operations of the problem over total time"},
      {METRIC(gbytes_s), "memory rate", "GB/s", higher,
       "the fewest bytes that the problem must move, over kernel time"},
      {METRIC(speedup), "speedup", "", higher, "kernel time of the baseline over kernel time, same problem"},
      {METRIC(speedup_total), "speedup, copies included", "", higher,
       "total time of the baseline over total time, same problem; on a CPU nothing is copied"},
      {METRIC(speedup_recorded), "speedup over the recorded baseline", "", higher,
       "the recorded time for the same problem over total time; sizes that are not in the table have no value"},
      {METRIC(percent_of_limit), "share of machine limit", "%", higher,
       "rate over the rate that the measured machine limits allow for this problem"},
      {METRIC(percent_of_vendor), "share of vendor library", "%", higher,
       "rate over the rate of the vendor's library, same problem and device"},
      {METRIC(warps_occupied), "occupied warps", "", higher,
       "the smaller of two numbers: the warps that the device can hold, and blocks x warps per block"},
      {METRIC(efficiency), "efficiency", "", higher,
       "speedup over the recorded baseline (without one: over the baseline, copies included) divided by occupied "
       "warps"},
  };
  return all;
}
#undef METRIC

}  // namespace

std::span<const MetricInfo> metrics() { return table(); }

const MetricInfo* find_metric(std::string_view name) {
  for (const MetricInfo& metric : table())
    if (metric.name == name) return &metric;
  return nullptr;
}

std::string_view to_string(MetricName name) { return table()[static_cast<size_t>(name)].name; }

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const MetricInfo& metric : table()) names.emplace_back(metric.name);
  return names;
}

std::vector<std::pair<MetricName, MetricInfo>> metrics_info(int lanes, int64_t stated_warps) {
  const std::string warps = lanes == 64 ? "wavefronts" : "warps";
  std::vector<std::pair<MetricName, MetricInfo>> rows;
  for (MetricInfo metric : table()) {
    const bool counts_warps = metric.id == MetricName::warps_occupied;
    if (counts_warps) metric.label = "occupied " + warps;
    if (stated_warps > 0 && (counts_warps || metric.id == MetricName::efficiency))
      metric.label += fmt::format(" (stated device: {} {} of {} lanes)", stated_warps, warps, lanes);
    rows.emplace_back(metric.id, metric);
  }
  return rows;
}

}  // namespace harness
