// Copies from global to shared memory that go on by themselves: no register holds the bytes on their way.
//
// copy_async() begins one, close_group() ends a group of them, wait_for_groups<n>() waits until at most the n
// youngest groups of this thread are still under way. What other threads copied is there after a barrier.
// Devices without such copies (and the emulated one) copy at once instead.
#pragma once

#include "lab/gpu.h"

#if !defined(LAB_EMULATED) && !defined(__HIPCC__)
#define LAB_HAS_ASYNC_COPIES 1
#include <cuda_pipeline.h>
#endif

namespace lab {

/// Copies `bytes` (4, 8 or 16, both addresses multiples of it), of which `count` are read and the others
/// become 0.
template <int bytes>
__device__ __forceinline__ void copy_async(void* shared, const void* global, int count) {
#ifdef LAB_HAS_ASYNC_COPIES
  __pipeline_memcpy_async(shared, global, bytes, bytes - count);
#else
  struct alignas(bytes) Unit {
    int at[bytes / 4];
  } unit{};
  if (count == bytes)
    unit = *static_cast<const Unit*>(global);
  else
    for (int i = 0; i < count / 4; ++i) unit.at[i] = static_cast<const int*>(global)[i];
  *static_cast<Unit*>(shared) = unit;
#endif
}

__device__ __forceinline__ void close_group() {
#ifdef LAB_HAS_ASYNC_COPIES
  __pipeline_commit();
#endif
}

template <int groups>
__device__ __forceinline__ void wait_for_groups() {
#ifdef LAB_HAS_ASYNC_COPIES
  __pipeline_wait_prior(groups);
#endif
}

}  // namespace lab
