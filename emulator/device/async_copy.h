// Copies to shared memory that the threads of a group share, for cooperative groups and cuda::pipeline.
#pragma once

#include "emulator/device/include/cuda_pipeline_primitives.h"

namespace lab::emulated {

/// The part of thread `rank` of `threads`: asynchronous where the device can, else at once.
LAB_INLINE void copy_part(void* to, const void* from, size_t bytes, size_t rank, size_t threads) {
  const size_t all = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes;
  const size_t piece = all % 16 == 0 ? 16 : all % 8 == 0 ? 8 : all % 4 == 0 ? 4 : 1;
  for (size_t at = rank * piece; at < bytes; at += threads * piece) {
    char* const t = static_cast<char*>(to) + at;
    const char* const f = static_cast<const char*>(from) + at;
    if (piece > 1 && lab_is_shared(t) && !lab_is_shared(f))
      lab_pipeline_copy(t, f, piece, 0);
    else
      std::memcpy(t, f, piece);
  }
}

}  // namespace lab::emulated

namespace cuda {

/// A number of bytes that is known to be a multiple of `alignment`.
template <size_t alignment>
struct aligned_size_t {
  size_t value;
  constexpr explicit aligned_size_t(size_t n) : value(n) {}
  constexpr operator size_t() const { return value; }
};

}  // namespace cuda
