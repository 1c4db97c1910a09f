// Blocks of both factors are packed into strips, which the innermost loop reads in order. Its sums stay in
// registers (K. Goto, R. van de Geijn: Anatomy of High-Performance Matrix Multiplication, 2008).
#include "emulator/device/multiply.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace lab::emulated {
namespace {

constexpr int64_t block_m = 128, block_n = 512, block_k = 256;
constexpr int64_t strip_n = 4;

/// 16 bytes, because every x86-64 and AArch64 processor has vectors of this size.
template <class T>
struct Lanes {
  typedef T Type __attribute__((vector_size(16)));
  static constexpr int64_t count = 16 / sizeof(T);
};
template <class T>
constexpr int64_t strip_m = 2 * Lanes<T>::count;

/// Copies strips of `width` rows of the factor (or of its transpose), filled up with zeros.
template <class T>
void pack(T* to, View<T> from, int64_t rows, int64_t depth, int64_t width) {
  for (int64_t first = 0; first < rows; first += width)
    for (int64_t p = 0; p < depth; ++p)
      for (int64_t i = first; i < first + width; ++i)
        *to++ = i < rows ? from.p[i * from.row + p * from.column] : T{0};
}

template <class T>
void multiply_strips(int64_t depth, const T* a, const T* b, T* sums) {
  using Vector = typename Lanes<T>::Type;
  Vector sum[strip_n][2] = {};
  for (int64_t p = 0; p < depth; ++p, a += strip_m<T>, b += strip_n) {
    Vector low, high;
    std::memcpy(&low, a, sizeof low);
    std::memcpy(&high, a + Lanes<T>::count, sizeof high);
    for (int64_t j = 0; j < strip_n; ++j) {
      sum[j][0] += low * b[j];
      sum[j][1] += high * b[j];
    }
  }
  std::memcpy(sums, sum, sizeof sum);
}

}  // namespace

template <class T>
void add_product(int64_t m, int64_t n, int64_t k, T alpha, View<T> a, View<T> b, T* c, int64_t ldc) {
  std::vector<T> strips_a(static_cast<size_t>(block_m * block_k)),
      strips_b(static_cast<size_t>(block_n * block_k));
  for (int64_t j0 = 0; j0 < n; j0 += block_n)
    for (int64_t p0 = 0; p0 < k; p0 += block_k) {
      const int64_t columns = std::min(block_n, n - j0), depth = std::min(block_k, k - p0);
      pack<T>(strips_b.data(), {b.p + p0 * b.row + j0 * b.column, b.column, b.row}, columns, depth, strip_n);
      for (int64_t i0 = 0; i0 < m; i0 += block_m) {
        const int64_t rows = std::min(block_m, m - i0);
        pack<T>(strips_a.data(), {a.p + i0 * a.row + p0 * a.column, a.row, a.column}, rows, depth,
                strip_m<T>);
        for (int64_t j = 0; j < columns; j += strip_n)
          for (int64_t i = 0; i < rows; i += strip_m<T>) {
            T sums[strip_n * strip_m<T>];
            multiply_strips(depth, &strips_a[static_cast<size_t>(i * depth)],
                            &strips_b[static_cast<size_t>(j * depth)], sums);
            for (int64_t y = 0; y < std::min(strip_n, columns - j); ++y)
              for (int64_t x = 0; x < std::min(strip_m<T>, rows - i); ++x)
                c[(i0 + i + x) + (j0 + j + y) * ldc] += alpha * sums[y * strip_m<T> + x];
          }
      }
    }
}

template void add_product(int64_t, int64_t, int64_t, float, View<float>, View<float>, float*, int64_t);
template void add_product(int64_t, int64_t, int64_t, double, View<double>, View<double>, double*, int64_t);

}  // namespace lab::emulated
