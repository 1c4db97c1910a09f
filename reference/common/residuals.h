// What the probabilistic identities of all kinds share: vectors of weights drawn after the run, and the
// residuals of an output's lines with their limits.
//
// Integer data: weights are nonzero integers and no sum reaches 2^53, so a right output gives residual 0, and
// a wrong line escapes with probability 1/(2R)^2 at most, R the largest weight.
//
// Reals: a line's residual is the sum of its cells' errors, each times a weight drawn after the run, so it
// stays within a few times the 2-norm of those errors. A sum of k products with partial sums s_t is off by
// the square root of sum_t (u s_t)^2; on our zero-mean data s_t^2 grows like t |a|^2 |b|^2 / k^2, so that the
// worst honest order, the plain loop, comes to u |a| |b| / sqrt(2). `Limits` takes 6 times the 2-norm of this
// over the line, more on lines of few cells, where nothing averages out, with terms for the roundings that do
// not shrink with k.
#pragma once

#include <functional>
#include <vector>

#include "reference/common/weigh.h"

namespace harness {

/// `largest` 0: real weights of magnitude 0.5 .. 1.5: none hides a cell, and two equal errors do not cancel.
Pair draw_weights(int64_t size, uint64_t seed, int64_t largest);

/// The largest integer weight that keeps sums over `lines` cells of at most `largest_result`, multiples of
/// 2^-fraction_bits, exact in float64.
int64_t largest_weight(double largest_result, double lines, int fraction_bits);

/// What an honest output's weighted line may be off by.
struct Limits {
  double product;  // factor of the line's squared products: sum over its cells of |a|^2 |b|^2
  double old;      // factor of the squares of an old output that was added
  double times;

  /// Sums of `k` products, lines of `length` cells.
  Limits(double k, double length, double u, double u_in);
  double operator()(double product_squares, double old_squares) const;
};

/// One side: weighted lines as they are and as they should be.
struct Side {
  LineResidual::Axis axis;
  const Pair *got, *want;
  const std::vector<char>* impossible;  // empty, or lines that flag_impossible found
};

void append(const Side& side, const std::function<double(size_t)>& limit, std::vector<LineResidual>& lines);

/// Integer data: a cell that is no multiple of 2^-fraction_bits or out of range is wrong, and would make
/// weighted sums inexact.
template <class T>
void flag_impossible(const Matrix<const T>& got, double largest_result, int fraction_bits,
                     std::vector<char>& rows, std::vector<char>& columns);

extern template void flag_impossible<float>(const Matrix<const float>&, double, int, std::vector<char>&,
                                            std::vector<char>&);
extern template void flag_impossible<double>(const Matrix<const double>&, double, int, std::vector<char>&,
                                             std::vector<char>&);

}  // namespace harness
