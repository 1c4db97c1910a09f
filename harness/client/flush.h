// Data that a timed call finds in memory, not in a cache.
#pragma once

#include <cstddef>

namespace harness {

class Region;

constexpr size_t cache_line_bytes = 64;  // of x86 and of most Arm processors

/// Copies a whole cache line, or a part of it, to memory. No cache holds it afterwards.
void copy_past_caches(std::byte* to, const std::byte* from, size_t bytes);
/// Waits until all lines that were flushed or copied so before are in memory.
void wait_for_flushes();
/// Flushes a whole region, with the bands around its data, and waits for it.
void flush_from_caches(const Region& region);

}  // namespace harness
