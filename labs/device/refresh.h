// Fresh data for every timed call. Each element is a function of a salt (which the harness draws when it
// requests the call), of the buffer and of the element's index. A variant that returns an old
// result returns the result of other inputs, and the harness, which computes the same inputs itself, notices.
//
// Elements that are NaN do not change: the padding of leading dimensions, and outputs that are not read. So
// this code does not need a problem's shape. The result has the same bits on every host and device, because
// no operation rounds.
#pragma once

#include <cstdint>
#include <cstring>

#include "lab/bf16.h"

namespace lab {

/// The bits of an element.
template <class T>
struct Bits;
template <>
struct Bits<bf16> {
  using Word = uint16_t;
};
template <>
struct Bits<float> {
  using Word = uint32_t;
};
template <>
struct Bits<double> {
  using Word = uint64_t;
};

template <class To, class From>
LAB_ANYWHERE inline To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

/// The key of one buffer; its values derive from it (splitmix64: Steele, Lea, Flood 2014).
inline uint64_t refresh_key(uint64_t salt, int buffer) {
  uint64_t z = salt + (static_cast<uint64_t>(buffer) + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Indices have 32 bits; the key differs for elements that are 2^32 apart.
LAB_ANYWHERE inline uint64_t key_at(uint64_t key, int64_t i) {
  return key + static_cast<uint64_t>(i >> 32) * 0x9e3779b97f4a7c15u;
}

/// A bijection of 32 bits: each bit of the result depends on all input bits (lowbias32: Wellons 2018). It
/// needs two 32-bit multiplications, which every vector unit has.
LAB_ANYWHERE inline uint32_t mix_bits(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

/// Uniform in [-1, 1), with all digits of T. A bfloat16 is cut off, not rounded.
template <class T>
LAB_ANYWHERE inline typename Bits<T>::Word fresh_word(uint32_t low, uint32_t high, uint32_t i) {
  const uint32_t drawn = mix_bits(i + low) ^ high;
  if constexpr (sizeof(T) == 2) {
    return static_cast<uint16_t>(fresh_word<float>(low, high, i) >> 16);
  } else if constexpr (sizeof(T) == 4) {
    return bits_as<uint32_t>(static_cast<float>(static_cast<int32_t>(drawn) >> 8) * 0x1p-23f);
  } else {
    // First a number between 1 and 2, because converting a 64-bit integer is slow.
    const uint64_t first = drawn, second = drawn * 0x9e3779b1u;
    return bits_as<uint64_t>((bits_as<double>(uint64_t{0x3ff} << 52 | first << 20 | second >> 12) - 1.5) * 2);
  }
}

/// `now` if `old` is a number, otherwise `old`; without a branch.
template <class T>
LAB_ANYWHERE inline typename Bits<T>::Word unless_nan(typename Bits<T>::Word old,
                                                      typename Bits<T>::Word now) {
  using Word = typename Bits<T>::Word;
  const T value = bits_as<T>(old);
  const auto keep = static_cast<Word>(value != value ? ~Word{0} : Word{0});
  return static_cast<Word>((old & keep) | (now & ~keep));
}

/// Element i of a buffer, if it is a number.
template <class T>
LAB_ANYWHERE inline void refresh_element(T& element, uint64_t key, int64_t i) {
  const uint64_t here = key_at(key, i);
  element =
      bits_as<T>(unless_nan<T>(bits_as<typename Bits<T>::Word>(element),
                               fresh_word<T>(static_cast<uint32_t>(here), static_cast<uint32_t>(here >> 32),
                                             static_cast<uint32_t>(i))));
}

/// Number of `count` elements that get new values a second time, just before the clock starts on a device. A
/// variant that started to compute earlier has used other data.
LAB_ANYWHERE inline int64_t touched(int64_t count) {
  constexpr int64_t most = 256;
  return count < most ? count : most;
}
/// One element in each of equal parts of the buffer.
LAB_ANYWHERE inline int64_t touched_position(uint64_t key, int64_t count, int64_t which) {
  const int64_t parts = touched(count), begin = which * count / parts, end = (which + 1) * count / parts;
  const uint64_t drawn = mix_bits(static_cast<uint32_t>(key) + static_cast<uint32_t>(which));
  return begin + static_cast<int64_t>(drawn * static_cast<uint64_t>(end - begin) >> 32);
}
template <class T>
LAB_ANYWHERE inline void touch_element(T* data, int64_t count, uint64_t key, int64_t which) {
  const int64_t i = touched_position(key, count, which);
  refresh_element(data[i], ~key, i);
}

/// Replaces a number by the NaN whose bits are all ones. No arithmetic returns this NaN.
template <class T>
LAB_ANYWHERE inline void poison_element(T& element) {
  using Word = typename Bits<T>::Word;
  element = bits_as<T>(unless_nan<T>(bits_as<Word>(element), static_cast<Word>(~Word{0})));
}

}  // namespace lab
