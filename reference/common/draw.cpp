#include "reference/common/draw.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "harness/base/parallel.h"
#include "harness/base/random.h"

namespace harness {

namespace {

int64_t integer_from(uint64_t bits, int64_t limit) {
  const auto size = static_cast<int64_t>(((bits >> 32) * static_cast<uint64_t>(limit)) >> 32) + 1;
  return (bits & 1) != 0 ? -size : size;
}

/// Uniform in [-1, 1), with all digits of T.
template <class T>
T real_from(uint64_t bits) {
  if constexpr (sizeof(T) == 4)
    return static_cast<T>(static_cast<int32_t>(bits >> 40) - (1 << 23)) * 0x1p-23f;
  else
    return static_cast<T>(static_cast<int64_t>(bits >> 11) - (int64_t{1} << 52)) * 0x1p-52;
}

template <class T>
T padding() {
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<float>(padding_bits_f32);
  else
    return std::bit_cast<double>(padding_bits_f64);
}

}  // namespace

template <class T>
void draw(const Matrix<T>& m, Fill fill, int64_t limit, uint64_t seed) {
  constexpr int64_t grain_elements = 1 << 16;
  parallel_for(m.rows, std::max<int64_t>(1, grain_elements / m.ld), [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      T* row = m.row(i);
      const uint64_t first = static_cast<uint64_t>(i) * static_cast<uint64_t>(m.cols);
      if (fill == Fill::reals)
        for (int64_t j = 0; j < m.cols; ++j)
          row[j] = real_from<T>(random_bits(seed, first + static_cast<uint64_t>(j)));
      else
        for (int64_t j = 0; j < m.cols; ++j)
          row[j] = static_cast<T>(integer_from(random_bits(seed, first + static_cast<uint64_t>(j)), limit));
      if (i + 1 < m.rows) std::fill(row + m.cols, row + m.ld, padding<T>());
    }
  });
}

template <class T>
void poison(const Matrix<T>& m) {
  for (int64_t i = 0; i < m.rows; ++i) {
    std::memset(m.row(i), poison_byte, static_cast<size_t>(m.cols) * sizeof(T));
    if (i + 1 < m.rows) std::fill(m.row(i) + m.cols, m.row(i) + m.ld, padding<T>());
  }
}

template void draw<float>(const Matrix<float>&, Fill, int64_t, uint64_t);
template void draw<double>(const Matrix<double>&, Fill, int64_t, uint64_t);
template void poison<float>(const Matrix<float>&);
template void poison<double>(const Matrix<double>&);

}  // namespace harness
