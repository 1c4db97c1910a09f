#include "harness/client/flush.h"

#include <cstring>

#include "harness/client/regions.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace harness {
namespace {

// Begins to write the cache line of `p` back to memory and to remove it from the caches of all cores.
void flush_line(const std::byte* p) {
#if defined(__x86_64__)
  _mm_clflush(p);
#elif defined(__aarch64__)
  asm volatile("dc civac, %0" ::"r"(p) : "memory");  // Linux lets programs use it
#endif
}

}  // namespace

void copy_past_caches(std::byte* to, const std::byte* from, size_t bytes) {
#if defined(__x86_64__)
  if (bytes == cache_line_bytes) {  // faster than to flush each line
    for (size_t i = 0; i < bytes; i += sizeof(__m128i))
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
    return;
  }
#endif
  std::memcpy(to, from, bytes);
  flush_line(to);
}

void wait_for_flushes() {
#if defined(__x86_64__)
  _mm_mfence();
#elif defined(__aarch64__)
  asm volatile("dsb sy" ::: "memory");
#endif
}

void flush_from_caches(const Region& region) {
  for (int64_t at = 0; at < region.bytes(); at += int64_t{cache_line_bytes}) flush_line(region.data() - region.offset() + at);
  wait_for_flushes();
}

}  // namespace harness
