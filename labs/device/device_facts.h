// Facts about a device that CUDA and HIP report in different ways. The rest of the device code is the same
// for both.
#pragma once

#include "lab/abi.h"
#include "lab/gpu.h"

namespace lab {

#ifdef __HIPCC__

inline void describe_shared_memory(const cudaDeviceProp& p, lab_device_info& info) {
  info.shared_memory_per_block = static_cast<int64_t>(p.sharedMemPerBlock);  // HIP has no larger opt-in size
  info.shared_memory_per_multiprocessor = static_cast<int64_t>(p.maxSharedMemoryPerMultiProcessor);
}

inline bool keeps_lines_in_l2(const cudaDeviceProp&) { return false; }
inline cudaError_t let_go_of_l2() { return cudaSuccess; }

#else

inline void describe_shared_memory(const cudaDeviceProp& p, lab_device_info& info) {
  info.shared_memory_per_block = static_cast<int64_t>(p.sharedMemPerBlockOptin);
  info.shared_memory_per_multiprocessor = static_cast<int64_t>(p.sharedMemPerMultiprocessor);
}

/// Whether a variant can mark L2 lines as persisting, and how to remove the mark.
inline bool keeps_lines_in_l2(const cudaDeviceProp& p) { return p.persistingL2CacheMaxSize > 0; }
inline cudaError_t let_go_of_l2() { return cudaCtxResetPersistingL2Cache(); }

#endif

}  // namespace lab
