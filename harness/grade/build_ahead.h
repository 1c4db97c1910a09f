// Compiles before a run what it will need.
#pragma once

#include "harness/engine/options.h"

namespace harness {

/// Compiles the builds of a run with these options, the sanitized ones too, so that the run finds them in the cache.
/// Errors are left to the run, which meets them again.
void build_ahead(const RunOptions& options);

}  // namespace harness
