// Draws the matrices. Element (i, j) of a buffer depends on the seed, the buffer and (i, j) only: not on
// threads, not on leading dimensions.
#include <bit>
#include <cstring>

#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "reference/gemm/problem.h"

namespace harness::gemm {

namespace {

/// Uniform among -limit..-1, 1..limit. Zero is left out: a dropped product always shows.
int64_t integer_from(uint64_t bits, int64_t limit) {
  const auto size = static_cast<int64_t>(((bits >> 32) * static_cast<uint64_t>(limit)) >> 32) + 1;
  return (bits & 1) != 0 ? -size : size;
}

/// Uniform in [-1, 1), all digits of T used.
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

template <class T>
void draw(Matrix<T> m, Fill fill, int64_t limit, uint64_t seed) {
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

/// An output that the problem does not read.
template <class T>
void poison(Matrix<T> m) {
  for (int64_t i = 0; i < m.rows; ++i) {
    std::memset(m.row(i), poison_byte, static_cast<size_t>(m.cols) * sizeof(T));
    if (i + 1 < m.rows) std::fill(m.row(i) + m.cols, m.row(i) + m.ld, padding<T>());
  }
}

/// C[0][0] must not come out as 0: a problem of one cell could not tell a kernel that writes zeros.
template <class T>
void keep_first_cell_off_zero(const Shape& s, Matrix<T> a, Matrix<T> b, Matrix<T> c) {
  double sum = 0;
  for (int64_t p = 0; p < s.k; ++p) sum += static_cast<double>(a.at(0, p)) * static_cast<double>(b.at(p, 0));
  const double old = s.beta == 0 ? 0 : s.beta * static_cast<double>(c.at(0, 0));
  if (s.alpha * sum + old == 0) a.at(0, 0) = -a.at(0, 0);
}

}  // namespace

void Gemm::fill(Fill fill, uint64_t seed, const HostBuffers& buffers) const {
  with_type(dtype(), [&](auto type) {
    using T = decltype(type);
    const auto a = matrix<T>(*this, buffers, 0), b = matrix<T>(*this, buffers, 1),
               c = matrix<T>(*this, buffers, 2);
    draw(a, fill, largest_integer_, random_bits(seed, 0));
    draw(b, fill, largest_integer_, random_bits(seed, 1));
    if (output().role == Role::inout)
      draw(c, fill, largest_integer_, random_bits(seed, 2));
    else
      poison(c);
    keep_first_cell_off_zero(shape_, a, b, c);
  });
}

}  // namespace harness::gemm
