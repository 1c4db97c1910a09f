#include "harness/base/random.h"

#include <sys/random.h>

#include <cstdlib>

namespace harness {

uint64_t secret_bits() {
  uint64_t bits = 0;
  // For up to 256 bytes the call cannot be interrupted or fall short once the pool is ready (getrandom(2)).
  if (getrandom(&bits, sizeof bits, 0) != static_cast<ssize_t>(sizeof bits)) std::abort();
  return bits;
}

}  // namespace harness
