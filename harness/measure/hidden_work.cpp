#include "harness/measure/hidden_work.h"

#include <algorithm>

#include "harness/measure/statistics.h"

namespace harness {
namespace {

// How much longer a call on a device may take than its claim and a call of the idle control together, for example
// because the variant leaves the caches and the clock of the device in another state. docs/trust.md has the measured
// figures.
constexpr double of_both = 0.2;
// Processor time beside a CPU call, in addition to twice that of the control: processes that begin to use the same
// caches make the way into and out of the system slower.
constexpr double beside_ms_granted = 0.02, of_call = 0.05;
// What a core may seem to give more, because a process runs on until the signal arrives that stops it.
constexpr double stop_ms = 0.1, of_running = 0.05;

Summary beyond(const std::vector<DeviceCall>& calls, double share_of_claim) {
  std::vector<double> all;
  for (const DeviceCall& c : calls) all.push_back(c.outside_ms - share_of_claim * c.claimed_ms);
  return summarize(all);
}

}  // namespace

double hidden_between_calls_ms(double call_ms, double beside_ms, double idle_beside_ms) {
  return beside_ms - 2 * idle_beside_ms - beside_ms_granted - of_call * call_ms;
}

bool uses_more_cores(double processor_ms, double running_ms, int calls, int cores) {
  return processor_ms > cores * (running_ms * (1 + of_running) + calls * stop_ms);
}

std::optional<DeviceCall> hidden_in_calls(const std::vector<DeviceCall>& variant, const std::vector<DeviceCall>& idle) {
  const double overhead_ms = std::max(0.0, beyond(idle, 1).median);
  if (beyond(variant, 1 + of_both).q1 <= overhead_ms * (1 + of_both)) return std::nullopt;
  const double hidden_ms = beyond(variant, 1).median, outside_ms = beyond(variant, 0).median;
  return DeviceCall{outside_ms - hidden_ms, outside_ms - overhead_ms};
}

}  // namespace harness
