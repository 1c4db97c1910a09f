#include "harness/measure/hidden_work.h"

#include <algorithm>

#include "harness/measure/statistics.h"

namespace harness {
namespace {

// What a batch may take in addition to its claim and to the control's overhead. Between two events the device computes
// nothing else, but the host may come late to start and to notice the end; on a busy machine by a turn of the scheduler.
constexpr double of_claim = 0.2, of_overhead = 0.5, scheduler_ms = 2, call_ms = 0.01;
constexpr double of_fetch = 0.5;
// Processor time beside a CPU call, in addition to twice that of the control: processes that begin to use the same
// caches make the way into and out of the system slower.
constexpr double beside_ms_granted = 0.02, of_call = 0.05;
// What a core may seem to give more, because a process runs on until the signal arrives that stops it.
constexpr double stop_ms = 0.1, of_running = 0.05;

Summary summary(const std::vector<DeviceBatch>& batches, double (*of)(const DeviceBatch&)) {
  std::vector<double> all;
  for (const DeviceBatch& b : batches) all.push_back(of(b));
  return summarize(all);
}

}  // namespace

double hidden_between_calls_ms(double call_ms, double beside_ms, double idle_beside_ms) {
  return beside_ms - 2 * idle_beside_ms - beside_ms_granted - of_call * call_ms;
}

bool uses_more_cores(double processor_ms, double running_ms, int calls, int cores) {
  return processor_ms > cores * (running_ms * (1 + of_running) + calls * stop_ms);
}

std::optional<LateBy> hidden_in_batches(const std::vector<DeviceBatch>& variant,
                                        const std::vector<DeviceBatch>& idle) {
  const double overhead_ms =
      std::max(0.0, summary(idle, [](const DeviceBatch& b) { return b.outside_ms - b.claimed_ms; }).median);
  std::vector<double> hidden_ms, said_ms, seen_ms;
  for (const DeviceBatch& b : variant) {
    hidden_ms.push_back(b.outside_ms - b.claimed_ms * (1 + of_claim) - overhead_ms * (1 + of_overhead) - scheduler_ms -
                        b.calls * call_ms);
    said_ms.push_back(b.claimed_ms / b.calls);
    seen_ms.push_back((b.outside_ms - overhead_ms) / b.calls);
  }
  if (summarize(hidden_ms).q1 <= 0) return std::nullopt;
  return LateBy{summarize(said_ms).median, summarize(seen_ms).median};
}

std::optional<LateBy> hidden_in_fetches(const std::vector<DeviceBatch>& variant,
                                        const std::vector<DeviceBatch>& idle) {
  const auto fetch_ms = [](const DeviceBatch& b) { return b.fetch_ms; };
  const double seen_ms = summary(variant, fetch_ms).min, known_ms = summary(idle, fetch_ms).min;
  if (seen_ms <= known_ms * (1 + of_fetch) + scheduler_ms) return std::nullopt;
  return LateBy{known_ms, seen_ms};
}

}  // namespace harness
