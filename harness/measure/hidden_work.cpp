#include "harness/measure/hidden_work.h"

#include <algorithm>

#include "harness/measure/statistics.h"

namespace harness {
namespace {

// How much longer a call on a device may take than its claim and a call of the idle control together, for example
// because the variant leaves the caches and the clock of the device in another state. docs/trust.md has the measured
// figures.
constexpr double of_both = 0.2;
// Processor time beside a CPU call, in addition to that of the control: a variant's data, and processes that use the same
// caches, make the way into and out of the system slower. docs/trust.md has the measured figures.
constexpr double beside_ms_granted = 0.02, of_call = 0.05;
// What a core may seem to give more, because a process runs on until the signal arrives that stops it.
constexpr double stop_ms = 0.1, of_running = 0.05;

// The median of the time that is more than this share of the claim.
double beyond_ms(std::span<const DeviceCall> calls, double share_of_claim) {
  std::vector<double> all;
  for (const DeviceCall& c : calls) all.push_back(c.outside_ms - share_of_claim * c.claimed_ms);
  return summarize(all).median;
}

}  // namespace

double hidden_between_calls_ms(double call_ms, double beside_ms, double idle_beside_ms) {
  return beside_ms - idle_beside_ms - beside_ms_granted - of_call * call_ms;
}

bool uses_more_cores(double processor_ms, double running_ms, int calls, int cores) {
  return processor_ms > cores * (running_ms * (1 + of_running) + calls * stop_ms);
}

DeviceCall median_call(std::span<const DeviceCall> calls) {
  std::vector<double> claimed_ms, outside_ms;
  for (const DeviceCall& c : calls) {
    claimed_ms.push_back(c.claimed_ms);
    outside_ms.push_back(c.outside_ms);
  }
  return {summarize(claimed_ms).median, summarize(outside_ms).median};
}

std::optional<DeviceCall> hidden_in_samples(std::span<const DeviceCall> variant, std::span<const DeviceCall> idle) {
  const double overhead_ms = std::max(0.0, beyond_ms(idle, 1));
  if (beyond_ms(variant, 1 + of_both) <= overhead_ms * (1 + of_both)) return std::nullopt;
  const DeviceCall usual = median_call(variant);
  return DeviceCall{usual.claimed_ms, usual.outside_ms - overhead_ms};
}

}  // namespace harness
