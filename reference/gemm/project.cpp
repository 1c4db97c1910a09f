// Freivalds' check of all rows and all columns (Freivalds 1977): C x = alpha A (B x) + beta C0 x and
// y C = alpha (y A) B + beta y C0, for two secret random x and two y, in float64. O(inputs + output), one
// pass a matrix (A and B are read twice).
//
// Integer data: weights are nonzero integers and no sum reaches 2^53, so a right output gives residual 0, and
// a wrong line escapes with probability 1/(2R)^2 at most, R the largest weight.
//
// Reals: a line's residual is the sum of its cells' errors, each times a weight drawn after the run, so it
// stays within a few times the 2-norm of those errors. A sum of k products with partial sums s_t is off by
// the square root of sum_t (u s_t)^2; on our zero-mean data s_t^2 grows like t |a|^2 |b|^2 / k^2, so that the
// worst honest order, the plain loop, comes to u |a| |b| / sqrt(2). `Limits` takes 6 times the 2-norm of this
// over the line, more on lines of few cells, where nothing averages out, with terms for the roundings that do
// not shrink with k. Measured: plain loops reach 0.3 of it, OpenBLAS at 4096 0.08; inputs rounded to TF32
// give 60 times the limit there, and 49 times at k = 8192.
#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "reference/gemm/weigh.h"

namespace harness::gemm {

namespace {

/// Magnitude 0.5 .. 1.5: no weight hides a cell, and two equal errors do not cancel.
double real_weight(uint64_t bits) {
  const double size = 0.5 + static_cast<double>(bits >> 12) * 0x1p-52;
  return (bits & 1) != 0 ? -size : size;
}

double integer_weight(uint64_t bits, int64_t largest) {
  const auto size = 1 + static_cast<int64_t>((bits >> 1) % static_cast<uint64_t>(largest));
  return static_cast<double>((bits & 1) != 0 ? -size : size);
}

/// `largest` 0: real weights.
Pair draw(int64_t size, uint64_t seed, int64_t largest) {
  Pair pair(size);
  for (size_t v = 0; v < 2; ++v)
    for (size_t i = 0; i < pair.of[v].size(); ++i) {
      const uint64_t bits = random_bits(random_bits(seed, v), i);
      pair.of[v][i] = largest == 0 ? real_weight(bits) : integer_weight(bits, largest);
    }
  return pair;
}

/// Keeps every weighted sum of a right output below 2^52 units.
int64_t largest_weight(const Gemm& g) {
  const double lines = static_cast<double>(std::max(g.shape().m, g.shape().n));
  const double sum = std::ldexp(g.largest_result() * lines, g.fraction_bits());
  return static_cast<int64_t>(std::clamp(0x1p52 / sum, 1.0, 0x1p20));
}

/// Integer data: a cell off the grid or out of range is wrong, and would make weighted sums inexact.
template <class T>
void flag_impossible(const Gemm& g, const Matrix<const T>& c, std::vector<char>& rows,
                     std::vector<char>& columns) {
  const double unit = std::ldexp(1.0, g.fraction_bits()), largest = g.largest_result();
  const auto possible = [=](T got) {
    const double x = static_cast<double>(got);
    return std::abs(x) <= largest && std::nearbyint(x * unit) == x * unit;
  };
  std::mutex mutex;
  parallel_for(c.rows, std::max<int64_t>(1, (1 << 17) / c.cols), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T* row = c.row(i);
      if (std::all_of(row, row + c.cols, possible)) continue;
      rows[static_cast<size_t>(i)] = 1;
      const std::lock_guard lock(mutex);
      for (int64_t j = 0; j < c.cols; ++j)
        if (!possible(row[j])) columns[static_cast<size_t>(j)] = 1;
    }
  });
}

/// One side: what an honest output's weighted line may be off by.
struct Limits {
  double product;  // factor of alpha^2 |line of A|^2 |B|^2
  double old;      // factor of beta^2 |line of C0|^2
  double times;

  Limits(double k, double length, double u, double u_in) {
    constexpr double own = unit_roundoff(Dtype::f64);  // of this file's own sums
    product = u * u * (0.5 + 4 / k) + u_in * u_in * 4 / k + own * own * (1 + 2 * length / k);
    old = u * u * (k + 2) + own * own * length;
    times = 6 * (1 + 2 / std::sqrt(length));
  }
  double operator()(double product_squares, double old_squares) const {
    return times * std::sqrt(product * product_squares + old * old_squares);
  }
};

struct Side {
  LineResidual::Axis axis;
  const Pair *got, *product, *old;  // old: null with beta = 0
  const std::vector<char>* impossible;
};

void append(const Side& side, double alpha, double beta, const std::function<double(size_t)>& limit,
            std::vector<LineResidual>& lines) {
  for (size_t i = 0; i < side.got->of[0].size(); ++i) {
    LineResidual line{side.axis, static_cast<int64_t>(i), 0, limit(i)};
    for (size_t v = 0; v < 2; ++v) {
      const double old = side.old != nullptr ? beta * side.old->of[v][i] : 0;
      const double residual = std::abs(side.got->of[v][i] - (alpha * side.product->of[v][i] + old));
      if (!(residual <= line.residual)) line.residual = residual;  // NaN stays
      if (std::isnan(line.residual)) break;
    }
    if (!side.impossible->empty() && (*side.impossible)[i] != 0)
      line.residual = std::numeric_limits<double>::infinity();
    lines.push_back(line);
  }
}

template <class T>
std::vector<LineResidual> lines_of(const Gemm& g, const ConstHostBuffers& inputs, const std::byte* output,
                                   uint64_t seed, bool exact, double u, double u_in) {
  const Shape& s = g.shape();
  const auto a = matrix<T>(g, inputs, 0), b = matrix<T>(g, inputs, 1);
  const Matrix<const T> got{reinterpret_cast<const T*>(output), s.m, s.n, s.ldc};

  const int64_t weight = exact ? largest_weight(g) : 0;
  const Pair x = draw(s.n, random_bits(seed, 0), weight), y = draw(s.m, random_bits(seed, 1), weight);
  const Pair bx = weigh<T>(b, &x, nullptr).right;
  const Weighed of_a = weigh<T>(a, &bx, &y);
  const Weighed of_b = weigh<T>(b, nullptr, &of_a.left);
  const Weighed of_c = weigh<T>(got, &x, &y);
  Weighed old;
  if (s.beta != 0) old = weigh<T>(matrix<T>(g, inputs, 2), &x, &y);

  std::vector<char> bad_rows, bad_columns;
  if (exact) {
    bad_rows.resize(static_cast<size_t>(s.m));
    bad_columns.resize(static_cast<size_t>(s.n));
    flag_impossible(g, got, bad_rows, bad_columns);
  }

  const double k = static_cast<double>(s.k), alpha2 = s.alpha * s.alpha, beta2 = s.beta * s.beta;
  const auto limit_of = [&](const Limits& limits, const std::vector<double>& own, double other,
                            const std::vector<double>& olds) {
    return [=, &own, &olds](size_t i) {
      return exact ? 0 : limits(alpha2 * own[i] * other, s.beta != 0 ? beta2 * olds[i] : 0);
    };
  };
  std::vector<LineResidual> lines;
  lines.reserve(static_cast<size_t>(s.m + s.n));
  append({LineResidual::Axis::row, &of_c.right, &of_a.right, s.beta != 0 ? &old.right : nullptr, &bad_rows},
         s.alpha, s.beta,
         limit_of(Limits(k, static_cast<double>(s.n), u, u_in), of_a.row_squares, of_b.squares(),
                  old.row_squares),
         lines);
  append(
      {LineResidual::Axis::column, &of_c.left, &of_b.left, s.beta != 0 ? &old.left : nullptr, &bad_columns},
      s.alpha, s.beta,
      limit_of(Limits(k, static_cast<double>(s.m), u, u_in), of_b.column_squares, of_a.squares(),
               old.column_squares),
      lines);
  return lines;
}

}  // namespace

std::vector<LineResidual> Gemm::project(const ConstHostBuffers& inputs, const std::byte* output,
                                        uint64_t seed, Fill fill, double u, double u_in) const {
  const bool exact = fill == Fill::integers && exact_possible(u, u_in);
  return with_type(dtype(), [&](auto type) {
    return lines_of<decltype(type)>(*this, inputs, output, seed, exact, u, u_in);
  });
}

}  // namespace harness::gemm
