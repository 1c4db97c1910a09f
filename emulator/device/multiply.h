// The matrix product of the emulated libraries, in IEEE single or double precision without TF32.
#pragma once

#include <cstdint>

namespace lab::emulated {

/// Element (i, j) is p[i * row + j * column].
template <class T>
struct View {
  const T* p;
  int64_t row, column;
};

/// C += alpha A B for column-major C with leading dimension ldc. T: float, double.
template <class T>
void add_product(int64_t m, int64_t n, int64_t k, T alpha, View<T> a, View<T> b, T* c, int64_t ldc);

}  // namespace lab::emulated
