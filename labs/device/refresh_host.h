// refresh.h and fingerprint.h for whole buffers on the host. Compilers can vectorise the loops of refresh().
#pragma once

#include <vector>

#include "device/fingerprint.h"
#include "device/refresh.h"

namespace lab {
namespace host {

typedef uint32_t __attribute__((may_alias)) Word32;
typedef uint64_t __attribute__((may_alias)) Word64;

/// `first`: index of words[0], in 32 bits.
inline void refresh32(Word32* words, int64_t count, uint32_t first, uint32_t low, uint32_t high) {
  for (int64_t i = 0; i < count; ++i)
    words[i] = unless_nan<float>(words[i], fresh_word<float>(low, high, first + static_cast<uint32_t>(i)));
}
inline void refresh64(Word64* words, int64_t count, uint32_t first, uint32_t low, uint32_t high) {
  for (int64_t i = 0; i < count; ++i)
    words[i] = unless_nan<double>(words[i], fresh_word<double>(low, high, first + static_cast<uint32_t>(i)));
}

}  // namespace host

/// Elements begin .. end - 1 of the buffer at `data`; each has `element_bytes` bytes.
inline void refresh(void* data, int64_t begin, int64_t end, int element_bytes, uint64_t key) {
  constexpr int64_t block = int64_t{1} << 32;
  while (begin < end) {
    const uint64_t here = key_at(key, begin);
    const auto low = static_cast<uint32_t>(here), high = static_cast<uint32_t>(here >> 32);
    const int64_t next = (begin / block + 1) * block, some = (end < next ? end : next) - begin;
    const auto first = static_cast<uint32_t>(begin);
    if (element_bytes == 4)
      host::refresh32(static_cast<host::Word32*>(data) + begin, some, first, low, high);
    else
      host::refresh64(static_cast<host::Word64*>(data) + begin, some, first, low, high);
    begin += some;
  }
}

inline void touch(void* data, int64_t count, int element_bytes, uint64_t key) {
  for (int64_t which = 0; which < touched(count); ++which)
    if (element_bytes == 4)
      touch_element(static_cast<float*>(data), count, key, which);
    else
      touch_element(static_cast<double*>(data), count, key, which);
}

inline void poison(void* data, int64_t count, int element_bytes) {
  for (int64_t i = 0; i < count; ++i)
    if (element_bytes == 4)
      poison_element(static_cast<float*>(data)[i]);
    else
      poison_element(static_cast<double*>(data)[i]);
}

inline uint64_t fingerprint(const void* data, int64_t count, int element_bytes) {
  std::vector<uint64_t> below, values;
  for (const int64_t width : fingerprint_widths) {
    values.resize(static_cast<size_t>(width));
    for (int64_t i = 0; i < width; ++i)
      values[static_cast<size_t>(i)] =
          !below.empty() ? fingerprint_value(below.data(), static_cast<int64_t>(below.size()), i, width)
          : element_bytes == 4 ? fingerprint_value(static_cast<const host::Word32*>(data), count, i, width)
                               : fingerprint_value(static_cast<const host::Word64*>(data), count, i, width);
    below.swap(values);
  }
  return below.front();
}

}  // namespace lab
