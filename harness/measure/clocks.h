// Does a worker tell the truth about time? Its own clock may be in a variant's hands, so it is held against what
// the harness saw of the same batches: the processor time of the process, which the kernel counts and which a
// busy machine does not lengthen, and the time that passed.
#pragma once

#include <vector>

namespace harness {

/// A batch of calls. `claimed_ms` is the worker's sum over its calls, the rest is the harness's.
struct ClockedBatch {
  int calls = 1;
  double claimed_ms = 0, outside_ms = 0, cpu_ms = 0;  // cpu_ms 0: not known
};

/// What a batch takes beside its calls: request and reply, fresh data. Measured on a variant that does nothing.
struct Overhead {
  double batch_cpu_ms = 0, call_cpu_ms = 0;
  double batch_ms = 0, call_ms = 0;
  double first_fetch_ms = 0;  // of the output and the inputs from a device, into memory that nobody has used yet
  double fetch_ms = 0;        // and after that, at best

  double cpu_ms(int calls) const { return batch_cpu_ms + calls * call_cpu_ms; }
  double ms(int calls) const { return batch_ms + calls * call_ms; }
};

/// At best, from batches of one call and batches of so many that their calls take nearly all of it, in either clock.
Overhead overhead(const std::vector<ClockedBatch>& one, const std::vector<ClockedBatch>& several);
/// Of batches of this length and at these moments: the upper quartile, what must be granted on a machine as it is now.
Overhead overhead_now(const std::vector<ClockedBatch>& beside);

struct ClockVerdict {
  enum class By { none, processor, wall } by = By::none;  // the clock that tells it lies
  double said_ms = 0, seen_ms = 0;                        // of a call, in the median batch
};

/// Most batches must be beyond what can be explained: the lower quartile decides. Between calls `threads` - 1
/// threads may go on spinning.
ClockVerdict compare_clocks(const std::vector<ClockedBatch>& batches, const Overhead& overhead, int threads);
/// The same on a machine where nobody waits: too hard a verdict on a short batch, but longer ones are worth a look.
ClockVerdict doubt_clocks(const std::vector<ClockedBatch>& batches, const Overhead& overhead, int threads);
/// Of a device, by the time that passes: what it computes, it computes between request and reply. Nobody waits
/// there for a core, so there is less room.
ClockVerdict compare_device_clocks(const std::vector<ClockedBatch>& batches, const Overhead& overhead);
/// Did an output take so long to come back, beside what is known, that it may have been computed then?
bool comes_late(double fetch_ms, double known_ms);

}  // namespace harness
