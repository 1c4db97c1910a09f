// The outcome of a case: one table for reports, exit code, JUnit and database.
#pragma once

#include "harness/base/enums.h"

namespace harness {

//   name            fails the run   meaning, for the legend of a report
#define HARNESS_STATUSES(X)                                                               \
  X(PASSED, false, "output is right, time measured")                                      \
  X(WRONG, true, "a result differs from the reference by more than rounding can explain") \
  X(COMPILE_ERROR, true, "the compiler or the linker refused the source")                 \
  X(CRASHED, true, "the variant's process ended by a signal or by itself")                \
  X(TIMEOUT, true, "the variant took longer than its limit")                              \
  X(OUT_OF_MEMORY, true, "the variant or its buffers need more memory than there is")     \
  X(OUT_OF_BOUNDS, true, "the variant accessed memory outside its buffers")               \
  X(INPUT_MODIFIED, true, "the variant wrote to one of its inputs")                       \
  X(MISTRUSTED, true, "nothing shows that the variant's own calls computed the result")   \
  X(SUSPECT, true, "faster than this machine allows, or two clocks disagree")             \
  X(UNSTABLE, false, "right, but the times scatter too much to be compared")              \
  X(THROTTLED, false, "right, but the device lowered its clocks while it was measured")   \
  X(SKIPPED, false, "not run, for the reason given")                                      \
  X(CANCELLED, false, "the run was interrupted before this case")

enum class Status {
#define X(name, fails, meaning) name,
  HARNESS_STATUSES(X)
#undef X
};

template <>
struct Spelling<Status> {
  static constexpr std::string_view words[] = {
#define X(name, fails, meaning) #name,
      HARNESS_STATUSES(X)
#undef X
  };
};

struct StatusInfo {
  Status status;
  std::string_view name;
  bool fails;
  std::string_view meaning;
};

inline constexpr StatusInfo statuses[] = {
#define X(name, fails, meaning) {Status::name, #name, fails, meaning},
    HARNESS_STATUSES(X)
#undef X
};

constexpr const StatusInfo& info(Status s) { return statuses[static_cast<int>(s)]; }

}  // namespace harness
