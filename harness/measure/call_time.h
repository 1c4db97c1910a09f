// The time of one call on the CPU: what the harness measured from outside, without what it costs to start a call.
#pragma once

#include <optional>
#include <span>

#include "harness/measure/statistics.h"

namespace harness {

/// One call of a worker that computes nothing (the idle control), from several.
struct IdleCall {
  double call_ms = 0;    // from release to answer, undisturbed
  double spread_ms = 0;  // how much more than call_ms such a call may usually take
  double wake_ms = 0;    // until it is awake
  double touch_ms = 0;   // until it has read the data
  double beside_ms = 0;  // processor time for waking up and falling asleep
};

/// `call_ms` is the shortest: what a busy machine adds to these calls must not be subtracted from the time of a variant.
/// `spread_ms` reaches from there to the upper end of the 95 % interval of their median.
IdleCall idle_call(std::span<const double> call_ms, std::span<const double> wake_ms, std::span<const double> touch_ms,
                   double beside_ms);

/// Time that a variant could use before and after its call. It could compute before it says that it is awake, or that it has read
/// the data. A thread that takes the core of the harness before the harness reads the result could go on meanwhile. All count,
/// beyond what is usual.
double late_ms(double wake_ms, double touch_ms, double read_ms, const std::optional<IdleCall>& idle);

/// A call without the overhead, but at least a tenth of it.
double without_overhead_ms(double call_ms, const std::optional<IdleCall>& idle);

/// Times of a GPU that differ by less are the same. CUDA tells the time between two events with a resolution of about 0.5 us
/// (cudaEventElapsedTime). docs/comparing.md has measurements.
inline constexpr double gpu_resolution_ms = 0.001;

/// The share of a median that may still be overhead.
double overhead_share(double median_ms, double spread_ms);
/// An interval of times from which the overhead was subtracted, with its spread.
Summary with_overhead(Summary times, double spread_ms);
/// The same for the ratio of `b` over `a`, of whose times these shares may be overhead.
Ratio with_overhead(Ratio ratio, double share_of_a, double share_of_b);

}  // namespace harness
