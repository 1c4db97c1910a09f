// Draws the matrices. Each has its own seed.
#include <algorithm>
#include <cmath>
#include <vector>

#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "reference/common/draw.h"
#include "reference/gemm/problem.h"

namespace harness::gemm {

namespace {

/// Makes sure that C[0][0] of the result is not 0. Otherwise a kernel that writes zeros would pass where C
/// has one cell.
template <class T>
void keep_first_cell_off_zero(const Shape& s, Matrix<T> a, Matrix<T> b, Matrix<T> c) {
  double sum = 0;
  for (int64_t p = 0; p < s.k; ++p) sum += static_cast<double>(a.at(0, p)) * static_cast<double>(b.at(p, 0));
  const double old = s.beta == 0 ? 0 : s.beta * static_cast<double>(c.at(0, 0));
  if (s.alpha * sum + old == 0) a.at(0, 0) = -a.at(0, 0);
}

/// Multiplies each column of A by a power of 2 and the row of B that meets it by the inverse. That rounds nothing and changes no product,
/// but a variant that computes with fixed-point numbers loses the digits of small columns and rows.
template <class T>
void spread_sizes(Matrix<T> a, Matrix<T> b, uint64_t seed) {
  std::vector<lab::Sum<T>> of_column(static_cast<size_t>(a.cols));
  for (int64_t p = 0; p < a.cols; ++p)
    of_column[static_cast<size_t>(p)] = std::ldexp(lab::Sum<T>(1), static_cast<int>(random_bits(seed, static_cast<uint64_t>(p)) % 9) - 4);
  const auto multiply = [](T& x, lab::Sum<T> by) { x = static_cast<T>(x * by); };
  constexpr int64_t grain = 1 << 16;
  parallel_for(a.rows, std::max<int64_t>(1, grain / a.ld), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      for (int64_t p = 0; p < a.cols; ++p) multiply(a.at(i, p), of_column[static_cast<size_t>(p)]);
  });
  parallel_for(b.rows, std::max<int64_t>(1, grain / b.ld), [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p)
      for (int64_t j = 0; j < b.cols; ++j) multiply(b.at(p, j), 1 / of_column[static_cast<size_t>(p)]);
  });
}

}  // namespace

void Gemm::fill(Fill fill, uint64_t seed, const HostBuffers& buffers) const {
  with_type(dtype(), [&](auto type) {
    using T = decltype(type);
    const auto a = matrix<T>(*this, buffers, 0), b = matrix<T>(*this, buffers, 1),
               c = matrix<T>(*this, buffers, 2);
    draw(a, fill, largest_integer_, random_bits(seed, 0));
    if (fill == Fill::reals) scale_rows(a, 1, random_bits(seed, 3));
    draw(b, fill, largest_integer_, random_bits(seed, 1));
    if constexpr (sizeof(T) == 2)  // products of short numbers are where integers are faster
      if (fill == Fill::reals) spread_sizes(a, b, random_bits(seed, 4));
    if (output().role == Role::inout)
      draw(c, fill, largest_integer_, random_bits(seed, 2));
    else
      draw_output(c, fill, random_bits(seed, 2));
    keep_first_cell_off_zero(shape_, a, b, c);
  });
}

}  // namespace harness::gemm
