// What takes a sandbox along when the harness is killed. bubblewrap sees to that once it is set up, but its second process waits
// for the first for ever when that dies before: seen once in about 100 kills.
#pragma once

#include <sys/types.h>

namespace harness {

/// In a new process that leads a group of its own, before it turns into another program: forks. Returns in the child; this
/// process stays as its guard, ends as it ends, and kills the group when `parent` dies. Async-signal-safe.
void stay_behind_as_guard(pid_t parent);

}  // namespace harness
