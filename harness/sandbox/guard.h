// Ends a sandbox when the harness is killed. bubblewrap does this itself once it is set up. But if its first process is
// killed earlier, its second process waits for ever: this happened once in about 100 kills.
#pragma once

#include <sys/types.h>

namespace harness {

/// Call it in a new process that leads its own process group. It forks and returns in the child. The calling process
/// stays as guard: it ends with the status of the child, and kills the group when `parent` ends. Async-signal-safe.
void stay_behind_as_guard(pid_t parent);

}  // namespace harness
