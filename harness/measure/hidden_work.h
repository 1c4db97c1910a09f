// Work outside of timed calls. What a variant could hide there is compared with an idle control: a worker that computes
// nothing, on the same buffers, at the same time.
#pragma once

#include <optional>
#include <span>

namespace harness {

/// CPU: a variant could compute between its calls, for example as soon as it sees new data. Processor time per call
/// beside the call, more than the control's time for falling asleep explains; 0 or less: nothing is hidden.
double hidden_between_calls_ms(double call_ms, double beside_ms, double idle_beside_ms);

/// CPU: whether a worker has more processor time than so many cores could give it, while the harness let it run. Its
/// threads could leave their cores for others.
bool uses_more_cores(double processor_ms, double running_ms, int calls, int cores);

/// GPU: the events are in the variant's hands. What it computes on the device, it computes between request and reply,
/// because the reply has the fingerprint of its output.
///
/// One call on a device: the time that the worker reports, and the time that the harness measures from request to reply.
struct DeviceCall {
  double claimed_ms = 0, outside_ms = 0;
};

/// The median of each, as in a sample.
DeviceCall median_call(std::span<const DeviceCall> calls);

/// Returns what a variant reported and what it took, if that is more than the calls of the idle control explain. The
/// samples are those from which the reported median comes: lies in fewer than half of them do not change that median.
std::optional<DeviceCall> hidden_in_samples(std::span<const DeviceCall> variant, std::span<const DeviceCall> idle);

}  // namespace harness
