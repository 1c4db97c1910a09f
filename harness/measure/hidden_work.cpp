#include "harness/measure/hidden_work.h"

#include <algorithm>
#include <vector>

namespace harness {
namespace {

// How much longer a call on a device may take than its claim and a call of the idle control together, for example
// because the variant leaves the caches and the clock of the device in another state. docs/trust.md has the measured
// figures.
constexpr double of_both = 0.2;
// Processor time beside a CPU call, in addition to twice that of the control: what runs on the same core or in the same
// caches makes the way into and out of the system slower. docs/trust.md has the measured figures.
constexpr double beside_ms_granted = 0.02, of_call = 0.05;
// What a core may seem to give more, because a process runs on until the signal arrives that stops it.
constexpr double stop_ms = 0.1, of_running = 0.05;

// The time that is more than this share of the claim.
std::vector<CallBeside> beyond(std::span<const DeviceCall> calls, double share_of_claim) {
  std::vector<CallBeside> all;
  for (const DeviceCall& c : calls) all.push_back({c.claimed_ms, c.outside_ms - share_of_claim * c.claimed_ms});
  return all;
}

}  // namespace

double hidden_between_calls_ms(double call_ms, double beside_ms, double idle_beside_ms) {
  return beside_ms - 2 * idle_beside_ms - beside_ms_granted - of_call * call_ms;
}

bool uses_more_cores(double processor_ms, double running_ms, int calls, int cores) {
  return processor_ms > cores * (running_ms * (1 + of_running) + calls * stop_ms);
}

Summary beside_in_calls(std::span<const CallBeside> calls, double up_to_ms) {
  std::vector<double> beside_ms;
  for (const CallBeside& call : calls)
    if (call.call_ms <= up_to_ms) beside_ms.push_back(call.beside_ms);
  return summarize(beside_ms);
}

std::optional<DeviceCall> hidden_in_calls(std::span<const DeviceCall> variant, double reported_ms,
                                          std::span<const DeviceCall> idle) {
  const double overhead_ms = std::max(0.0, beside_in_calls(beyond(idle, 1)).median);
  if (beside_in_calls(beyond(variant, 1 + of_both), reported_ms).q1 <= overhead_ms * (1 + of_both)) return std::nullopt;
  const Summary outside = beside_in_calls(beyond(variant, 0), reported_ms);
  return DeviceCall{reported_ms, outside.q1 - overhead_ms};
}

bool claims_again(std::span<const DeviceCall> variant, double reported_ms) {
  const auto short_claims =
      std::ranges::count_if(variant, [&](const DeviceCall& c) { return c.claimed_ms <= reported_ms; });
  return 4 * short_claims >= std::ssize(variant);
}

}  // namespace harness
