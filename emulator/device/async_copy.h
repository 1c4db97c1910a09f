// Copies to shared memory that the threads of a group share, for cooperative groups and cuda::pipeline.
#pragma once

#include "emulator/device/include/cuda_pipeline_primitives.h"

namespace cuda {

/// A number of bytes; it and both addresses are promised to be multiples of `alignment`.
template <size_t alignment>
struct aligned_size_t {
  size_t value;
  constexpr explicit aligned_size_t(size_t n) : value(n) {}
  constexpr operator size_t() const { return value; }
};

}  // namespace cuda

namespace lab::emulated {

template <class Bytes>
constexpr size_t promised_alignment = 1;
template <size_t alignment>
constexpr size_t promised_alignment<cuda::aligned_size_t<alignment>> = alignment < 16 ? alignment : 16;

/// The part of thread `rank` of `threads`: asynchronous where the device can, else at once. If an address breaks the promise of
/// cuda::aligned_size_t, that shows when the device checks the address of a piece.
template <class Bytes>
LAB_INLINE void copy_part(void* to, const void* from, Bytes given, size_t rank, size_t threads) {
  const size_t bytes = static_cast<size_t>(given), all = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes;
  const size_t fits = all % 16 == 0 ? 16 : all % 8 == 0 ? 8 : all % 4 == 0 ? 4 : 1;
  const size_t promised = bytes % promised_alignment<Bytes> == 0 ? promised_alignment<Bytes> : 1;
  const size_t piece = fits < promised ? promised : fits;
  for (size_t at = rank * piece; at < bytes; at += threads * piece) {
    char* const t = static_cast<char*>(to) + at;
    const char* const f = static_cast<const char*>(from) + at;
    if (piece >= 4 && lab_is_shared(t) && !lab_is_shared(f))
      lab_pipeline_copy(t, f, piece, 0);
    else
      std::memcpy(t, f, piece);
  }
}

}  // namespace lab::emulated
