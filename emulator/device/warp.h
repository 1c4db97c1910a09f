// The functions of a warp. Each of them is a meeting of the lanes in the mask: a lane brings a value, waits
// for the other lanes and returns with its result.
#pragma once

#include <array>
#include <bit>
#include <type_traits>

#include "emulator/device/kernel.h"

extern "C" {
typedef enum lab_meeting {
  lab_sync,
  lab_shuffle_index,
  lab_shuffle_up,
  lab_shuffle_down,
  lab_shuffle_xor,
  lab_ballot,
  lab_all,
  lab_any,
  lab_match_any,
  lab_match_all,
  lab_sum,
  lab_min_signed,
  lab_max_signed,
  lab_min_unsigned,
  lab_max_unsigned,
  lab_and,
  lab_or,
  lab_xor,
  lab_active  // the mask of the lanes that reach this call before all other lanes wait elsewhere or end
} lab_meeting;
/// `argument` is the lane or distance of a shuffle. Returns the bits of the result.
uint64_t lab_meet(lab_meeting kind, uint64_t mask, uint64_t value, int argument, int width);
unsigned lab_lane() LAB_ONCE;
}

namespace lab::emulated {

template <class T>
LAB_INLINE uint64_t to_bits(T value) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8, "warp functions take values of 2, 4 or 8 bytes");
  if constexpr (sizeof(T) == 2)
    return std::bit_cast<uint16_t>(value);
  else if constexpr (sizeof(T) == 4)
    return std::bit_cast<uint32_t>(value);
  else
    return std::bit_cast<uint64_t>(value);
}
template <class T>
LAB_INLINE T from_bits(uint64_t bits) {
  if constexpr (sizeof(T) == 2)
    return std::bit_cast<T>(static_cast<uint16_t>(bits));
  else if constexpr (sizeof(T) == 4)
    return std::bit_cast<T>(static_cast<uint32_t>(bits));
  else
    return std::bit_cast<T>(bits);
}
template <class T>
LAB_INLINE T shuffle(lab_meeting kind, uint64_t mask, T value, int argument, int width) {
  if constexpr (std::is_integral_v<T> && sizeof(T) < 4)
    return static_cast<T>(shuffle(kind, mask, static_cast<int>(value), argument, width));
  else if constexpr (sizeof(T) > 8 && sizeof(T) % 4 == 0) {  // as tiles of cooperative groups do
    auto words = std::bit_cast<std::array<uint32_t, sizeof(T) / 4>>(value);
    for (uint32_t& word : words) word = shuffle(kind, mask, word, argument, width);
    return std::bit_cast<T>(words);
  } else
    return from_bits<T>(lab_meet(kind, mask, to_bits(value), argument, width));
}

/// Masks have 32 bits, as on NVIDIA devices. ~0u means all lanes, also if a warp has 64.
using Mask = unsigned long long;
LAB_INLINE uint64_t lanes_of(unsigned mask) { return mask == ~0u ? ~uint64_t{0} : mask; }
LAB_INLINE uint64_t lanes_of(int mask) { return lanes_of(static_cast<unsigned>(mask)); }
LAB_INLINE uint64_t lanes_of(unsigned long long mask) { return mask == 0xffffffffull ? ~uint64_t{0} : mask; }
LAB_INLINE uint64_t lanes_of(unsigned long mask) { return mask == 0xffffffffull ? ~uint64_t{0} : mask; }

}  // namespace lab::emulated

LAB_INLINE unsigned __activemask() {
  return static_cast<unsigned>(lab_meet(lab_active, ~uint64_t{0}, 0, 0, 0));
}
LAB_INLINE void __syncwarp(unsigned mask = ~0u) {
  lab_meet(lab_sync, ::lab::emulated::lanes_of(mask), 0, 0, 0);
}

template <class M, class T>
LAB_INLINE T __shfl_sync(M mask, T value, int lane, int width = lab_warp_size()) {
  return ::lab::emulated::shuffle(lab_shuffle_index, ::lab::emulated::lanes_of(mask), value, lane, width);
}
template <class M, class T>
LAB_INLINE T __shfl_up_sync(M mask, T value, unsigned by, int width = lab_warp_size()) {
  return ::lab::emulated::shuffle(lab_shuffle_up, ::lab::emulated::lanes_of(mask), value,
                                  static_cast<int>(by), width);
}
template <class M, class T>
LAB_INLINE T __shfl_down_sync(M mask, T value, unsigned by, int width = lab_warp_size()) {
  return ::lab::emulated::shuffle(lab_shuffle_down, ::lab::emulated::lanes_of(mask), value,
                                  static_cast<int>(by), width);
}
template <class M, class T>
LAB_INLINE T __shfl_xor_sync(M mask, T value, int bits, int width = lab_warp_size()) {
  return ::lab::emulated::shuffle(lab_shuffle_xor, ::lab::emulated::lanes_of(mask), value, bits, width);
}

template <class M>
LAB_INLINE int __all_sync(M mask, int predicate) {
  return static_cast<int>(lab_meet(lab_all, ::lab::emulated::lanes_of(mask), predicate != 0, 0, 0));
}
template <class M>
LAB_INLINE int __any_sync(M mask, int predicate) {
  return static_cast<int>(lab_meet(lab_any, ::lab::emulated::lanes_of(mask), predicate != 0, 0, 0));
}
template <class M>
LAB_INLINE unsigned __ballot_sync(M mask, int predicate) {
  return static_cast<unsigned>(lab_meet(lab_ballot, ::lab::emulated::lanes_of(mask), predicate != 0, 0, 0));
}
template <class M, class T>
LAB_INLINE unsigned __match_any_sync(M mask, T value) {
  return static_cast<unsigned>(
      lab_meet(lab_match_any, ::lab::emulated::lanes_of(mask), ::lab::emulated::to_bits(value), 0, 0));
}
template <class M, class T>
LAB_INLINE unsigned __match_all_sync(M mask, T value, int* same) {
  const auto found = static_cast<unsigned>(
      lab_meet(lab_match_all, ::lab::emulated::lanes_of(mask), ::lab::emulated::to_bits(value), 0, 0));
  *same = found != 0;
  return found;
}

#define LAB_REDUCE(name, T, kind)                                                                \
  template <class M>                                                                             \
  LAB_INLINE T name(M mask, T value) {                                                           \
    return ::lab::emulated::from_bits<T>(                                                        \
        lab_meet(kind, ::lab::emulated::lanes_of(mask), ::lab::emulated::to_bits(value), 0, 0)); \
  }
LAB_REDUCE(__reduce_add_sync, unsigned, lab_sum)
LAB_REDUCE(__reduce_add_sync, int, lab_sum)
LAB_REDUCE(__reduce_min_sync, unsigned, lab_min_unsigned)
LAB_REDUCE(__reduce_min_sync, int, lab_min_signed)
LAB_REDUCE(__reduce_max_sync, unsigned, lab_max_unsigned)
LAB_REDUCE(__reduce_max_sync, int, lab_max_signed)
LAB_REDUCE(__reduce_and_sync, unsigned, lab_and)
LAB_REDUCE(__reduce_or_sync, unsigned, lab_or)
LAB_REDUCE(__reduce_xor_sync, unsigned, lab_xor)
LAB_REDUCE(__reduce_and_sync, int, lab_and)
LAB_REDUCE(__reduce_or_sync, int, lab_or)
LAB_REDUCE(__reduce_xor_sync, int, lab_xor)
#undef LAB_REDUCE
