// Shared by the projections of all kernels: random weights, drawn after the run, and the residuals of an
// output's lines (rows and columns) with their limits.
//
// Integer data: weights are nonzero integers and no sum reaches 2^53. So a right output gives residual 0, and
// a wrong line is missed with probability 1/(2R)^2 at most, where R is the largest weight.
//
// Real data: the residual of a line is the sum of its cells' errors, each times its weight, so it is at most
// a few times the 2-norm of those errors. A sum of k products with partial sums s_t has an error of about the
// square root of sum_t (u s_t)^2. On zero-mean data s_t^2 grows like t |a|^2 |b|^2 / k^2, so the worst order,
// the simple loop, has an error of about u |a| |b| / sqrt(2). `ResidualLimit` is 6 times the 2-norm of this
// over the line, more for lines of few cells (nothing averages out there), plus terms for the roundings that
// do not shrink with k. One of these is the rounding of a result to a shorter type: u_stored |c| at most. If the old output is
// added, the product may be rounded before, too. The root mean
// square is 0.43 of that for real data, and 0.57 for products of 1 and -1 at k = 4096 (alpha 1.5, beta 0.5), where all
// results above 128 lie in the middle between two numbers of bfloat16. 0.7 is granted.
#pragma once

#include <functional>
#include <vector>

#include "reference/common/weigh.h"

namespace harness {

/// Two vectors of integer weights up to `largest`, or, if it is 0, of real weights of magnitude 0.5 .. 1.5.
/// No weight is near 0, so every cell counts; and the weights differ, so equal errors do not cancel.
Pair draw_weights(int64_t size, uint64_t seed, int64_t largest);

/// The largest integer weight for which a weighted sum of `lines` cells is exact in float64. Cells are
/// multiples of 2^-fraction_bits and at most `largest_result`.
int64_t largest_weight(double largest_result, double lines, int fraction_bits);

/// The largest residual that rounding explains for one weighted line.
struct ResidualLimit {
  double stored;   // factor of the squares of the output itself, if it was rounded to a shorter type
  double product;  // factor of the line's squared products: sum over its cells of |a|^2 |b|^2
  double old;      // factor of the squares of the old output, if it was added
  double times;

  /// For sums of `k` products and lines of `length` cells.
  ResidualLimit(double k, double length, double u, double u_in, double u_stored);
  double operator()(double product_squares, double old_squares, double output_squares) const;
};

/// The weighted rows or columns of an output, and their expected values.
struct Side {
  LineResidual::Axis axis;
  const Pair *got, *want;
  const std::vector<char>* impossible;  // lines that flag_impossible marked, or empty
};

void append(const Side& side, const std::function<double(size_t)>& limit, std::vector<LineResidual>& lines);

/// For integer data: marks the lines of cells that are out of range or no multiple of 2^-fraction_bits. Such
/// cells are wrong, and they would make the weighted sums inexact.
template <class T>
void flag_impossible(const Matrix<const T>& got, double largest_result, int fraction_bits,
                     std::vector<char>& rows, std::vector<char>& columns);

extern template void flag_impossible<float>(const Matrix<const float>&, double, int, std::vector<char>&,
                                            std::vector<char>&);
extern template void flag_impossible<bf16>(const Matrix<const bf16>&, double, int, std::vector<char>&,
                                            std::vector<char>&);
extern template void flag_impossible<double>(const Matrix<const double>&, double, int, std::vector<char>&,
                                             std::vector<char>&);

}  // namespace harness
