// Draws one matrix. Element (i, j) depends only on the seed and on (i, j), not on the number of threads or
// the leading dimension. The padding between cols and ld gets NaN, so that reading it shows, and between the NaNs random
// large numbers: a variant that computes with the padding and writes the result back would give a NaN the same bits again.
#pragma once

#include "reference/common/matrix.h"

namespace harness {

/// Integers are uniform in -limit..-1, 1..limit. Zero is left out so that every missing product changes the
/// result. Of reals in a matrix of at least 256 elements one in sixteen is 0, because a variant may skip zeros; in smaller ones a
/// result of zeros could be right.
template <class T>
void draw(const Matrix<T>& m, Fill fill, int64_t limit, uint64_t seed);

/// Multiplies each group of `lines` rows by one of 1, 1/2, ... 1/256, which rounds nothing. A variant that computes with
/// fixed-point numbers, takes small numbers for 0 or mixes rows (Strassen) is then wrong in the small ones.
template <class T>
void scale_rows(const Matrix<T>& m, int64_t lines, uint64_t seed);

/// Fills an output that the problem does not read: with poison for integers, and like an input for reals. Its padding gets NaN with
/// random payloads.
template <class T>
void draw_output(const Matrix<T>& m, Fill fill, uint64_t seed);

extern template void draw<float>(const Matrix<float>&, Fill, int64_t, uint64_t);
extern template void draw<bf16>(const Matrix<bf16>&, Fill, int64_t, uint64_t);
extern template void draw<double>(const Matrix<double>&, Fill, int64_t, uint64_t);
extern template void scale_rows<float>(const Matrix<float>&, int64_t, uint64_t);
extern template void scale_rows<bf16>(const Matrix<bf16>&, int64_t, uint64_t);
extern template void scale_rows<double>(const Matrix<double>&, int64_t, uint64_t);
extern template void draw_output<float>(const Matrix<float>&, Fill, uint64_t);
extern template void draw_output<bf16>(const Matrix<bf16>&, Fill, uint64_t);
extern template void draw_output<double>(const Matrix<double>&, Fill, uint64_t);

}  // namespace harness
