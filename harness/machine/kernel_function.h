// What a function that runs on a GPU needs, and how many of its blocks a multiprocessor can hold at once.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace harness {

struct KernelFunction {
  std::string name;             // "gemm<int, double>"
  std::string architecture;     // "sm_90"
  int registers = 0;            // of a thread
  int64_t shared_bytes = 0;     // of a block, without what the launch adds
  bool dynamic_shared = false;  // the source file has shared memory whose size the launch sets
  int64_t stack_bytes = 0, spill_store_bytes = 0, spill_load_bytes = 0;  // of a thread
  int threads_per_block = 0;                                             // __launch_bounds__; 0: not stated
  // Of a multiprocessor. Nothing if the architecture is unknown or the function states no threads per block.
  int blocks = 0, warps = 0, max_warps = 0;
  double occupancy = std::numeric_limits<double>::quiet_NaN();  // warps / max_warps
  std::string limited_by;                                       // "registers"
};

/// Sets the members from `blocks` on, as NVIDIA's occupancy calculator does.
void compute_occupancy(KernelFunction& function);

}  // namespace harness
