#include "harness/client/flush.h"

#include <emmintrin.h>

namespace harness {

void flush_from_caches(const Region& region) {
  constexpr int64_t line_bytes = 64;  // of every x86 processor that has this instruction
  for (int64_t at = 0; at < region.bytes(); at += line_bytes) _mm_clflush(region.data() - region.offset() + at);
  _mm_mfence();
}

}  // namespace harness
