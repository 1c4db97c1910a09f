#include "harness/client/flush.h"

#include "harness/client/regions.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace harness {

void flush_line(const std::byte* p) {
#if defined(__x86_64__)
  _mm_clflush(p);
#elif defined(__aarch64__)
  asm volatile("dc civac, %0" ::"r"(p) : "memory");  // Linux lets programs use it
#endif
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
