// The loops that the CPU limits are measured with, in the widest form this processor has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/base/dtype.h"

namespace harness {

/// Multiply-adds on registers only: nothing that computes can do more of them.
struct FmaProbe {
  std::string instructions;    // "AVX-512"
  int64_t flops_per_step = 0;  // one multiply-add is two operations
  void (*run)(int64_t steps) = nullptr;
};
FmaProbe widest_fma_probe(Dtype dtype);

/// All forms that this processor has, the widest first.
std::vector<FmaProbe> fma_probes(Dtype dtype);

/// Copies a multiple of 64 bytes between buffers aligned to 64.
struct CopyProbe {
  std::string stores;  // "ordinary stores", "non-temporal stores"
  void (*run)(char* to, const char* from, size_t bytes) = nullptr;
};
std::vector<CopyProbe> copy_probes();

}  // namespace harness
