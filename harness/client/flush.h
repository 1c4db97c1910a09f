// Data that a timed call finds in memory, not in a cache.
#pragma once

#include <cstddef>

namespace harness {

class Region;

/// Begins to write the cache line of `p` back to memory and to remove it from the caches of all cores.
void flush_line(const std::byte* p);
/// Until all lines have left.
void wait_for_flushes();
/// A whole region, with the bands around its data.
void flush_from_caches(const Region& region);

}  // namespace harness
