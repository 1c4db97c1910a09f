// The verdict of a case: the only place that decides about status and reason.
#pragma once

#include <optional>
#include <string>

#include "harness/client/failure.h"

namespace harness {

/// What building, checking and timing a case gave. A stage fills in what it found; it decides nothing.
struct Evidence {
  /// The case is faster than a measured machine limit allows.
  struct Beaten {
    std::string limit;  // "fma_f32"
    double time_ms = 0, least_ms = 0;
  };
  struct Spread {
    int samples = 0;
    double relative_half_width = 0;  // of the interval of the median
    double precision = 0;            // the half width at which the config lets measuring stop
  };

  std::optional<std::string> cannot_run;  // why this machine or this lab does not run it
  std::optional<std::string> build_error;
  std::optional<Failure> failure;        // a wrong output, a crash, a timeout: in the check or while it was timed
  bool finished = false;                 // nothing more is to be done for this case; false: it was interrupted
  std::optional<Beaten> beaten;          // the limit that its time beats
  std::optional<Spread> spread;          // of its samples, if there are enough for an interval
  std::optional<std::string> throttled;  // why the GPU lowered its clocks meanwhile
};

struct Verdict {
  Status status = Status::CANCELLED;
  std::string reason;  // a sentence for the student; empty if the case passed

  bool operator==(const Verdict&) const = default;
};

/// The first cause that applies, in the order of the life of a case.
Verdict decide(const Evidence& evidence);

}  // namespace harness
