// Work outside of timed calls. What a variant could hide there is compared with an idle control: a worker that computes
// nothing, on the same buffers, at the same time.
#pragma once

#include <optional>
#include <span>

namespace harness {

/// CPU: a variant could compute between its calls, for example as soon as it sees new data. Processor time per call
/// beside the calls, more than the control's time for falling asleep explains; 0 or less: nothing is hidden.
double hidden_between_calls_ms(double call_ms, double beside_ms, double idle_beside_ms);

/// GPU: the events are in the variant's hands. What it computes on the device, it computes between request and reply,
/// because the reply has the fingerprint of its output.
///
/// One call on a device: the time that the worker reports, and the time that the harness measures from request to reply.
struct DeviceCall {
  double claimed_ms = 0, outside_ms = 0;
};

/// Returns what a variant reports as its median and what its calls took, if the calls of the idle control do not explain
/// that. Only calls that claim no more than the median count, and if the median is a lie, each of them has hidden work.
/// So nine in ten must show it, and a machine that delays many calls accuses nobody.
std::optional<DeviceCall> hidden_in_calls(std::span<const DeviceCall> variant, double reported_ms,
                                          std::span<const DeviceCall> idle);

/// Whether at least a quarter of these calls claim no more than the reported median, as about half did when it was
/// measured. Only such calls can refute that the claims are true.
bool claims_again(std::span<const DeviceCall> variant, double reported_ms);

}  // namespace harness
