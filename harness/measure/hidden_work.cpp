#include "harness/measure/hidden_work.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "harness/measure/statistics.h"

namespace harness {
namespace {

// How much longer a call on a device may take than its claim and a call of the idle control together, for example because
// the variant leaves the caches and the clock of the device in another state, or its worker is on a slower core than
// the control. docs/trust-measured.md has the measured figures.
constexpr double of_claim = 0.2, of_control = 0.5;
// Processor time beside a CPU call, in addition to twice that of the control: what runs on the same core or in the same
// caches makes the way into and out of the system slower. docs/trust-measured.md has the measured figures.
constexpr double beside_ms_granted = 0.02, of_call = 0.05;

// What calls with claims of at most `up_to_ms` take beyond this share of their claim.
std::vector<double> beyond_claim_ms(std::span<const DeviceCall> calls, double share,
                                    double up_to_ms = std::numeric_limits<double>::infinity()) {
  std::vector<double> all;
  for (const DeviceCall& call : calls)
    if (call.claimed_ms <= up_to_ms) all.push_back(call.outside_ms - share * call.claimed_ms);
  return all;
}

// Nine in ten are as large or larger.
double tenth_percentile(std::vector<double> values) {
  const auto tenth = values.begin() + (std::ssize(values) + 9) / 10 - 1;
  std::ranges::nth_element(values, tenth);
  return *tenth;
}

}  // namespace

double hidden_between_calls_ms(double call_ms, double beside_ms, double idle_beside_ms) {
  return beside_ms - 2 * idle_beside_ms - beside_ms_granted - of_call * call_ms;
}

std::optional<DeviceCall> hidden_in_calls(std::span<const DeviceCall> variant, double reported_ms,
                                          std::span<const DeviceCall> idle) {
  const double overhead_ms = std::max(0.0, summarize(beyond_claim_ms(idle, 1)).median);
  const std::vector<double> rest_ms = beyond_claim_ms(variant, 1 + of_claim, reported_ms);
  if (rest_ms.empty() || tenth_percentile(rest_ms) <= overhead_ms * (1 + of_control)) return std::nullopt;
  return DeviceCall{reported_ms, tenth_percentile(beyond_claim_ms(variant, 0, reported_ms)) - overhead_ms};
}

bool claims_again(std::span<const DeviceCall> variant, double reported_ms) {
  const auto short_claims =
      std::ranges::count_if(variant, [&](const DeviceCall& c) { return c.claimed_ms <= reported_ms; });
  return 4 * short_claims >= std::ssize(variant);
}

}  // namespace harness
