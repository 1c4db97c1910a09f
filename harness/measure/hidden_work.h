// Work outside of timed calls. What a variant could hide there is compared with an idle control: a worker that computes
// nothing, on the same buffers, at the same time.
#pragma once

#include <optional>
#include <vector>

namespace harness {

/// CPU: a variant could compute between its calls, for example as soon as it sees new data. Processor time per call
/// beside the call, more than the control's time for falling asleep explains; 0 or less: nothing is hidden.
double hidden_between_calls_ms(double call_ms, double beside_ms, double idle_beside_ms);

/// CPU: whether a worker has more processor time than so many cores could give it, while the harness let it run. Its
/// threads could leave their cores for others.
bool uses_more_cores(double processor_ms, double running_ms, int calls, int cores);

/// GPU: the events are in the variant's hands. What it computes on the device, it computes between request and reply, or
/// while its output is fetched. The harness measures both.
///
/// A batch of calls on a device, and the fetch of its output. `claimed_ms` is the worker's sum over its calls, the rest
/// is measured by the harness.
struct DeviceBatch {
  int calls = 1;
  double claimed_ms = 0, outside_ms = 0, fetch_ms = 0;
};

/// Times of one call.
struct LateBy {
  double said_ms = 0, seen_ms = 0;
};

/// The batches of a variant and those of the idle control have the same number of calls. Returns what most batches
/// reported and what they took, if that is more than the control's overhead explains.
std::optional<LateBy> hidden_in_batches(const std::vector<DeviceBatch>& variant, const std::vector<DeviceBatch>& idle);
/// The shortest fetches: a variant that computes when its output is fetched delays it every time.
std::optional<LateBy> hidden_in_fetches(const std::vector<DeviceBatch>& variant, const std::vector<DeviceBatch>& idle);

}  // namespace harness
