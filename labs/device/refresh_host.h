// refresh.h and fingerprint.h for whole buffers on the host. Compilers can vectorise the loops of refresh().
#pragma once

#include <vector>

#include "device/fingerprint.h"
#include "device/refresh.h"

namespace lab {
namespace host {

typedef uint16_t __attribute__((may_alias)) Word16;
typedef uint32_t __attribute__((may_alias)) Word32;
typedef uint64_t __attribute__((may_alias)) Word64;

/// `first`: index of words[0], in 32 bits.
template <class T, class Word>
void refresh(Word* words, int64_t count, uint32_t first, uint32_t low, uint32_t high) {
  for (int64_t i = 0; i < count; ++i)
    words[i] = unless_nan<T>(words[i], fresh_word<T>(low, high, first + static_cast<uint32_t>(i)));
}

/// Calls f with a null pointer to the type of elements of so many bytes, and one to the words of their bits.
template <class F>
auto with_element(int bytes, const F& f) {
  if (bytes == 2) return f(static_cast<bf16*>(nullptr), static_cast<Word16*>(nullptr));
  if (bytes == 4) return f(static_cast<float*>(nullptr), static_cast<Word32*>(nullptr));
  return f(static_cast<double*>(nullptr), static_cast<Word64*>(nullptr));
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
    host::with_element(element_bytes, [&]<class T, class Word>(T*, Word*) {
      host::refresh<T>(static_cast<Word*>(data) + begin, some, first, low, high);
    });
    begin += some;
  }
}

inline void touch(void* data, int64_t count, int element_bytes, uint64_t key) {
  host::with_element(element_bytes, [&]<class T, class Word>(T*, Word*) {
    for (int64_t which = 0; which < touched(count); ++which) touch_element(static_cast<T*>(data), count, key, which);
  });
}

inline void poison(void* data, int64_t count, int element_bytes) {
  host::with_element(element_bytes, [&]<class T, class Word>(T*, Word*) {
    for (int64_t i = 0; i < count; ++i) poison_element(static_cast<T*>(data)[i]);
  });
}

inline uint64_t fingerprint(const void* data, int64_t count, int element_bytes) {
  std::vector<uint64_t> below, values;
  for (const int64_t width : fingerprint_widths) {
    values.resize(static_cast<size_t>(width));
    for (int64_t i = 0; i < width; ++i)
      values[static_cast<size_t>(i)] =
          !below.empty() ? fingerprint_value(below.data(), static_cast<int64_t>(below.size()), i, width)
                         : host::with_element(element_bytes, [&]<class T, class Word>(T*, Word*) {
                             return fingerprint_value(static_cast<const Word*>(data), count, i, width);
                           });
    below.swap(values);
  }
  return below.front();
}

}  // namespace lab
