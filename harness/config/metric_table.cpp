#include "harness/config/metric_table.h"

#include <fmt/format.h>

namespace harness {
namespace {

using enum MetricInfo::Better;

constexpr MetricInfo all[] = {
    {"kernel_ms", "kernel time", "ms", lower, "one call on data that is in position, set-up and copies apart"},
    {"total_ms", "total time", "ms", lower, "copies to the device, one call and copies back"},
    {"h2d_ms", "host-to-device copy", "ms", lower, "copies of all inputs to the device"},
    {"d2h_ms", "device-to-host copy", "ms", lower, "copy of the output from the device"},
    {"alloc_ms", "allocation", "ms", lower, "allocation of all buffers"},
    {"first_call_ms", "first call", "ms", lower,
     "the first call of a fresh process, on data in place: set-up of libraries included, copies apart"},
    {"gflops", "arithmetic rate", "GFLOP/s", higher, "operations of the problem over kernel time"},
    {"gflops_total", "arithmetic rate, copies included", "GFLOP/s", higher,
     "operations of the problem over total time"},
    {"gbytes_s", "memory rate", "GB/s", higher, "bytes the problem must move at least, over kernel time"},
    {"speedup", "speedup", "", higher, "kernel time of the baseline over kernel time, same problem"},
    {"speedup_total", "speedup, copies included", "", higher,
     "total time of the baseline over total time, same problem; on a CPU nothing is copied"},
    {"speedup_recorded", "speedup over a recorded table", "", higher,
     "the table's time for the same problem over total time; a size that is not in the table has none"},
    {"percent_of_limit", "share of machine limit", "%", higher,
     "rate over what the measured limits of the machine allow for this problem"},
    {"percent_of_vendor", "share of vendor library", "%", higher,
     "rate over that of the vendor's library on the same device, same problem"},
    {"warps_occupied", "occupied warps", "", higher,
     "what the device holds at most, or blocks x warps a block where that is less"},
    {"efficiency", "efficiency", "", higher,
     "speedup over the recorded table (without one: over the baseline, copies included) by occupied warps"},
};

}  // namespace

std::span<const MetricInfo> metrics() { return all; }

const MetricInfo* find_metric(std::string_view name) {
  for (const MetricInfo& metric : all)
    if (metric.name == name) return &metric;
  return nullptr;
}

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const MetricInfo& metric : all) names.emplace_back(metric.name);
  return names;
}

nlohmann::json metrics_to_json(int lanes, int64_t stated_warps) {
  nlohmann::json json = nlohmann::json::object();
  for (const MetricInfo& metric : all)
    json[std::string(metric.name)] = {{"label", metric.label},
                                      {"unit", metric.unit},
                                      {"better", metric.better == higher ? "higher" : "lower"},
                                      {"doc", metric.doc}};
  std::string warps = lanes == 64 ? "wavefronts" : "warps";
  json["warps_occupied"]["label"] = "occupied " + warps;
  if (stated_warps > 0)
    for (const char* name : {"warps_occupied", "efficiency"})
      json[name]["label"] = fmt::format("{} (stated device: {} {} of {} lanes)",
                                        json[name]["label"].get<std::string>(), stated_warps, warps, lanes);
  return json;
}

}  // namespace harness
