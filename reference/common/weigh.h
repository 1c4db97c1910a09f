// Multiplies a matrix by two weight vectors from the right and two from the left, in one pass and in float64.
#pragma once

#include <array>
#include <vector>

#include "reference/common/matrix.h"

namespace harness {

/// Two vectors of weights or of weighted sums.
struct Pair {
  std::array<std::vector<double>, 2> of;

  Pair() = default;
  explicit Pair(int64_t size) {
    for (auto& v : of) v.resize(static_cast<size_t>(size));
  }
};

struct Weighed {
  Pair right;                       // M x: one number per row
  Pair left;                        // y M: one number per column
  std::vector<double> row_squares;  // squared 2-norms
  std::vector<double> column_squares;
  double squares() const;  // squared Frobenius norm
};

/// `x` has one number per column, `y` one per row. Either may be null; that side of the result stays empty.
/// The result does not depend on the number of threads.
template <class T>
Weighed weigh(const Matrix<const T>& m, const Pair* x, const Pair* y);

extern template Weighed weigh<float>(const Matrix<const float>&, const Pair*, const Pair*);
extern template Weighed weigh<bf16>(const Matrix<const bf16>&, const Pair*, const Pair*);
extern template Weighed weigh<double>(const Matrix<const double>&, const Pair*, const Pair*);

}  // namespace harness
