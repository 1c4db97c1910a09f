// Data that a timed call finds in memory, not in a cache.
#pragma once

#include "harness/client/regions.h"

namespace harness {

/// Writes a region back to memory and removes it from the caches of all cores.
void flush_from_caches(const Region& region);

}  // namespace harness
