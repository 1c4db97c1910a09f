// Draws one matrix. Element (i, j) depends on the seed and on (i, j) only: not on threads, not on leading
// dimensions. What lies between cols and ld becomes NaN.
#pragma once

#include "reference/common/matrix.h"

namespace harness {

/// Integers are uniform among -limit..-1, 1..limit. Zero is left out: a dropped product always shows.
template <class T>
void draw(const Matrix<T>& m, Fill fill, int64_t limit, uint64_t seed);

/// An output that the problem does not read.
template <class T>
void poison(const Matrix<T>& m);

extern template void draw<float>(const Matrix<float>&, Fill, int64_t, uint64_t);
extern template void draw<double>(const Matrix<double>&, Fill, int64_t, uint64_t);
extern template void poison<float>(const Matrix<float>&);
extern template void poison<double>(const Matrix<double>&);

}  // namespace harness
