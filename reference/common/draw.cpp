#include "reference/common/draw.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "harness/base/parallel.h"
#include "harness/base/random.h"

namespace harness {

namespace {

constexpr int64_t grain_elements = 1 << 16;
constexpr int64_t least_elements_with_zeros = 256;

int64_t integer_from(uint64_t bits, int64_t limit) {
  const auto size = static_cast<int64_t>(((bits >> 32) * static_cast<uint64_t>(limit)) >> 32) + 1;
  return (bits & 1) != 0 ? -size : size;
}

uint16_t upper_half(float x) { return static_cast<uint16_t>(std::bit_cast<uint32_t>(x) >> 16); }

/// Uniform in [-1, 1), with all digits of T. A bfloat16 is cut off, not rounded.
template <class T>
T real_from(uint64_t bits) {
  if constexpr (sizeof(T) == 2)
    return std::bit_cast<T>(upper_half(real_from<float>(bits)));
  else if constexpr (sizeof(T) == 4)
    return static_cast<T>(static_cast<int32_t>(bits >> 40) - (1 << 23)) * 0x1p-23f;
  else
    return static_cast<T>(static_cast<int64_t>(bits >> 11) - (int64_t{1} << 52)) * 0x1p-52;
}

template <class T>
T from_bits(uint32_t high, uint64_t random) {
  if constexpr (sizeof(T) == 2)
    return std::bit_cast<T>(upper_half(from_bits<float>(high, random)));
  else if constexpr (sizeof(T) == 4)
    return std::bit_cast<float>(high | (static_cast<uint32_t>(random >> 32) & 0x7ffff));
  else
    return std::bit_cast<double>(uint64_t{high} << 32 | (random >> 16 & 0x7ffffffffffff));
}

template <class T>
T padding(uint64_t random) {
  constexpr uint32_t large = 0x71480000;  // 1e30 as f32 and bf16, 1e237 as the upper half of an f64
  if ((random & 1) != 0) return from_bits<T>(large, random);
  if constexpr (sizeof(T) == 2)
    return std::bit_cast<T>(static_cast<uint16_t>(padding_bits(Dtype::bf16)));
  else if constexpr (sizeof(T) == 4)
    return std::bit_cast<float>(static_cast<uint32_t>(padding_bits(Dtype::f32)));
  else
    return std::bit_cast<double>(padding_bits(Dtype::f64));
}

template <class T>
T padding_of_output(uint64_t random) {
  constexpr uint32_t nan = 0x7ff80000;  // in all types
  return from_bits<T>(nan, random);
}

/// Fills the padding behind row i, if there is a row after it.
template <class T>
void pad(const Matrix<T>& m, int64_t i, uint64_t seed, T (*value)(uint64_t)) {
  if (i + 1 == m.rows) return;
  for (int64_t j = m.cols; j < m.ld; ++j)
    m.row(i)[j] = value(random_bits(~seed, static_cast<uint64_t>(i) << 32 | static_cast<uint64_t>(j)));
}

}  // namespace

template <class T>
void draw(const Matrix<T>& m, Fill fill, int64_t limit, uint64_t seed) {
  const bool with_zeros = m.rows * m.cols >= least_elements_with_zeros;
  const auto real = [=](uint64_t bits) { return with_zeros && bits % 16 == 0 ? T{} : real_from<T>(bits); };
  parallel_for(m.rows, std::max<int64_t>(1, grain_elements / m.ld), [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      T* row = m.row(i);
      const uint64_t first = static_cast<uint64_t>(i) * static_cast<uint64_t>(m.cols);
      if (fill == Fill::reals)
        for (int64_t j = 0; j < m.cols; ++j) row[j] = real(random_bits(seed, first + static_cast<uint64_t>(j)));
      else
        for (int64_t j = 0; j < m.cols; ++j)
          row[j] = static_cast<T>(
              static_cast<lab::Sum<T>>(integer_from(random_bits(seed, first + static_cast<uint64_t>(j)), limit)));
      pad(m, i, seed, padding<T>);
    }
  });
}

template <class T>
void scale_rows(const Matrix<T>& m, int64_t lines, uint64_t seed) {
  parallel_for(m.rows, std::max<int64_t>(1, grain_elements / m.ld), [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto halvings = static_cast<int>(random_bits(seed, static_cast<uint64_t>(i / lines)) % 9);
      const auto factor = std::ldexp(lab::Sum<T>(1), -halvings);
      for (int64_t j = 0; j < m.cols; ++j) m.at(i, j) = static_cast<T>(m.at(i, j) * factor);
    }
  });
}

template <class T>
void draw_output(const Matrix<T>& m, Fill fill, uint64_t seed) {
  if (fill == Fill::reals) draw(m, fill, 1, seed);
  for (int64_t i = 0; i < m.rows; ++i) {
    if (fill == Fill::integers) std::memset(m.row(i), poison_byte, static_cast<size_t>(m.cols) * sizeof(T));
    pad(m, i, seed, padding_of_output<T>);
  }
}

template void draw<float>(const Matrix<float>&, Fill, int64_t, uint64_t);
template void draw<bf16>(const Matrix<bf16>&, Fill, int64_t, uint64_t);
template void draw<double>(const Matrix<double>&, Fill, int64_t, uint64_t);
template void scale_rows<float>(const Matrix<float>&, int64_t, uint64_t);
template void scale_rows<bf16>(const Matrix<bf16>&, int64_t, uint64_t);
template void scale_rows<double>(const Matrix<double>&, int64_t, uint64_t);
template void draw_output<float>(const Matrix<float>&, Fill, uint64_t);
template void draw_output<bf16>(const Matrix<bf16>&, Fill, uint64_t);
template void draw_output<double>(const Matrix<double>&, Fill, uint64_t);

}  // namespace harness
