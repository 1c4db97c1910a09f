// One pass over a matrix that weights all its rows and all its columns with two vectors each, in float64.
#pragma once

#include <array>
#include <vector>

#include "reference/common/matrix.h"

namespace harness {

/// Two vectors of weights, or of weighted sums.
struct Pair {
  std::array<std::vector<double>, 2> of;

  Pair() = default;
  explicit Pair(int64_t size) {
    for (auto& v : of) v.resize(static_cast<size_t>(size));
  }
};

struct Weighed {
  Pair right;                       // M x: one number a row
  Pair left;                        // y M: one number a column
  std::vector<double> row_squares;  // squared 2-norms
  std::vector<double> column_squares;
  double squares() const;  // squared Frobenius norm
};

/// Weights M. `x` (a number a column) or `y` (a number a row) may be null: that side stays empty.
/// The result does not depend on the number of threads.
template <class T>
Weighed weigh(const Matrix<const T>& m, const Pair* x, const Pair* y);

extern template Weighed weigh<float>(const Matrix<const float>&, const Pair*, const Pair*);
extern template Weighed weigh<double>(const Matrix<const double>&, const Pair*, const Pair*);

}  // namespace harness
