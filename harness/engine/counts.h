// How many cases of a run passed, failed or were skipped, and the exit code that follows.
#pragma once

#include "harness/engine/cases.h"
#include "harness/engine/events.h"

namespace harness {

Counts count(const Cases& cases);
ExitCode exit_code(const Counts& counts, const Cases& cases);

}  // namespace harness
