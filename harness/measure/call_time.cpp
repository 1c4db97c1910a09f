#include "harness/measure/call_time.h"

#include <algorithm>

namespace harness {
namespace {

constexpr double granted_read_ms = 0.05;  // to read the cells: usually some microseconds
constexpr double granted_wakes = 2;       // a worker may take twice as long to wake up as the idle control
constexpr double granted_touches = 1.5;   // and 1.5 times as long to read the data
constexpr double least_share = 0.1;       // of a time is left at least when the overhead is subtracted

}  // namespace

IdleCall idle_call(std::span<const double> call_ms, std::span<const double> wake_ms, std::span<const double> touch_ms,
                   double beside_ms) {
  const Summary calls = summarize(call_ms);
  return {calls.min, (calls.interval ? calls.interval->high : calls.max) - calls.min, summarize(wake_ms).median,
          summarize(touch_ms).median, std::max(0.0, beside_ms)};
}

double late_ms(double wake_ms, double touch_ms, double read_ms, const std::optional<IdleCall>& idle) {
  double late = std::max(0.0, read_ms - granted_read_ms);
  if (idle) late += std::max(0.0, wake_ms - granted_wakes * idle->wake_ms) + std::max(0.0, touch_ms - granted_touches * idle->touch_ms);
  return late;
}

double without_overhead_ms(double call_ms, const std::optional<IdleCall>& idle) {
  return idle ? std::max(least_share * call_ms, call_ms - idle->call_ms) : call_ms;
}

double overhead_share(double median_ms, double spread_ms) {
  return median_ms > 0 ? std::clamp(spread_ms / median_ms, 0.0, 1 - least_share) : 0;
}

Summary with_overhead(Summary times, double spread_ms) {
  if (times.interval)
    times.interval->low = std::max(least_share * times.interval->low, times.interval->low - std::max(0.0, spread_ms));
  return times;
}

Ratio with_overhead(Ratio ratio, double share_of_a, double share_of_b) {
  if (!ratio.interval) return ratio;
  ratio.interval->low *= 1 - share_of_b;
  ratio.interval->high /= 1 - share_of_a;
  return ratio;
}

}  // namespace harness
