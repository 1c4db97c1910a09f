#include "harness/config/metric_table.h"

#include <fmt/format.h>

namespace harness {
namespace {

using enum MetricInfo::Better;

#define METRIC(name) MetricName::name, #name
// In the order of MetricName.
constexpr MetricInfo all[] = {
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
    {METRIC(gbytes_s), "memory rate", "GB/s", higher, "the fewest bytes that the problem must move, over kernel time"},
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
     "speedup over the recorded baseline (without one: over the baseline, copies included) divided by occupied warps"},
};
#undef METRIC

}  // namespace

std::span<const MetricInfo> metrics() { return all; }

const MetricInfo* find_metric(std::string_view name) {
  for (const MetricInfo& metric : all)
    if (metric.name == name) return &metric;
  return nullptr;
}

std::string_view to_string(MetricName name) { return all[static_cast<size_t>(name)].name; }

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
