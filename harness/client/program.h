// The worker program, carried inside this one.
#pragma once

#include "harness/base/files.h"

namespace harness {

/// Unpacks it below `cache` unless it is there, and returns its path.
Result<fs::path> worker_program(const fs::path& cache);

}  // namespace harness
