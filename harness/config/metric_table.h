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

//  name, label (as on an axis or above a column), unit (empty for a pure number), which is better, meaning
#define HARNESS_METRICS(X)                                                                                            \
  X(kernel_ms, "kernel time", "ms", lower, "one call with its data in place, without set-up and copies")              \
  X(total_ms, "total time", "ms", lower, "copies to the device, one call and copies back")                            \
  X(h2d_ms, "host-to-device copy", "ms", lower, "copies of all inputs to the device")                                 \
  X(d2h_ms, "device-to-host copy", "ms", lower, "copy of the output from the device")                                 \
  X(alloc_ms, "allocation", "ms", lower, "allocation of all buffers")                                                 \
  X(first_call_ms, "first call", "ms", lower,                                                                         \
    "the first call of a new process with its data in place: with the set-up of libraries, without copies")           \
  X(gflops, "arithmetic rate", "GFLOP/s", higher, "operations of the problem over kernel time")                       \
  X(gflops_total, "arithmetic rate, copies included", "GFLOP/s", higher, "operations of the problem over total time") \
  X(gbytes_s, "memory rate", "GB/s", higher, "the fewest bytes that the problem must move, over kernel time")         \
  X(speedup, "speedup", "", higher, "kernel time of the baseline over kernel time, same problem")                     \
  X(speedup_total, "speedup, copies included", "", higher,                                                            \
    "total time of the baseline over total time, same problem; on a CPU nothing is copied")                           \
  X(speedup_recorded, "speedup over the recorded baseline", "", higher,                                               \
    "the recorded time for the same problem over total time; sizes that are not in the table have no value")          \
  X(percent_of_limit, "share of machine limit", "%", higher,                                                          \
    "rate over the rate that the measured machine limits allow for this problem")                                     \
  X(sm_clock_mhz, "clock", "MHz", higher,                                                                             \
    "clock of the GPU's multiprocessors at the samples, read ten times a second")                                     \
  X(percent_of_limit_at_clock, "share of machine limit at this clock", "%", higher,                                   \
    "as percent_of_limit, of the limit of arithmetic at the clock that the GPU had instead of its highest")           \
  X(percent_of_vendor, "share of vendor library", "%", higher,                                                        \
    "rate over the rate of the vendor's library; same problem, device and precision")                                 \
  X(warps_occupied, "occupied warps", "", higher,                                                                     \
    "the smaller of two numbers: the warps that the device can hold, and blocks x warps per block")                   \
  X(efficiency, "efficiency", "", higher,                                                                             \
    "speedup over the recorded baseline (without one: over the baseline, copies included) divided by occupied warps")

enum class MetricName {
#define X(name, ...) name,
  HARNESS_METRICS(X)
#undef X
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
