// Facts about a device that CUDA and HIP report in different ways. The rest of the device code is the same
// for both.
#pragma once

#include <cstdio>

#include "lab/abi.h"
#include "lab/gpu.h"

namespace lab {

#ifdef __HIPCC__

inline const char* target() { return "hip"; }

inline void describe_hardware(const cudaDeviceProp& p, lab_device_info& info) {
  std::snprintf(info.architecture, sizeof info.architecture, "%.31s", p.gcnArchName);
  info.shared_memory_per_block = static_cast<int64_t>(p.sharedMemPerBlock);  // HIP has no larger opt-in size
  info.shared_memory_per_multiprocessor = static_cast<int64_t>(p.maxSharedMemoryPerMultiProcessor);
}

inline bool keeps_lines_in_l2(const cudaDeviceProp&) { return false; }
inline cudaError_t let_go_of_l2() { return cudaSuccess; }

#else

inline const char* target() { return "cuda"; }

inline void describe_hardware(const cudaDeviceProp& p, lab_device_info& info) {
  std::snprintf(info.architecture, sizeof info.architecture, "sm_%d%d", p.major, p.minor);
  int written =
      std::snprintf(info.uuid, sizeof info.uuid, "GPU");  // in the format of nvidia-smi: 8-4-4-4-12 digits
  for (int i = 0; i < 16; ++i) {
    const char* dash = i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "";
    written += std::snprintf(info.uuid + written, sizeof info.uuid - written, "%s%02x", dash,
                             static_cast<unsigned char>(p.uuid.bytes[i]));
  }
  info.shared_memory_per_block = static_cast<int64_t>(p.sharedMemPerBlockOptin);
  info.shared_memory_per_multiprocessor = static_cast<int64_t>(p.sharedMemPerMultiprocessor);
}

/// Whether a variant can mark L2 lines as persisting, and how to remove the mark.
inline bool keeps_lines_in_l2(const cudaDeviceProp& p) { return p.persistingL2CacheMaxSize > 0; }
inline cudaError_t let_go_of_l2() { return cudaCtxResetPersistingL2Cache(); }

#endif

}  // namespace lab
