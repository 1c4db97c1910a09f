#include "reference/common/residuals.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "harness/base/parallel.h"
#include "harness/base/random.h"

namespace harness {

namespace {

double real_weight(uint64_t bits) {
  const double size = 0.5 + static_cast<double>(bits >> 12) * 0x1p-52;
  return (bits & 1) != 0 ? -size : size;
}

double integer_weight(uint64_t bits, int64_t largest) {
  const auto size = 1 + static_cast<int64_t>((bits >> 1) % static_cast<uint64_t>(largest));
  return static_cast<double>((bits & 1) != 0 ? -size : size);
}

}  // namespace

Pair draw_weights(int64_t size, uint64_t seed, int64_t largest) {
  Pair pair(size);
  for (size_t v = 0; v < 2; ++v)
    for (size_t i = 0; i < pair.of[v].size(); ++i) {
      const uint64_t bits = random_bits(random_bits(seed, v), i);
      pair.of[v][i] = largest == 0 ? real_weight(bits) : integer_weight(bits, largest);
    }
  return pair;
}

int64_t largest_weight(double largest_result, double lines, int fraction_bits) {
  const double sum = std::ldexp(largest_result * lines, fraction_bits);
  return static_cast<int64_t>(std::clamp(0x1p52 / sum, 1.0, 0x1p20));
}

ResidualLimit::ResidualLimit(double k, double length, double u, double u_in, double u_stored) {
  constexpr double own = unit_roundoff(Dtype::f64);  // of the projection's own sums
  stored = u_stored * u_stored / 2;
  product = u * u * (0.5 + 4 / k) + u_in * u_in * 4 / k + own * own * (1 + 2 * length / k);
  old = u * u * (k + 2) + own * own * length;
  times = 6 * (1 + 2 / std::sqrt(length));
}

double ResidualLimit::operator()(double product_squares, double old_squares, double output_squares) const {
  // What is rounded to the shorter type: the result, and before that its product, if the old output is added to it.
  const double rounded_squares = output_squares + (old_squares > 0 ? 2 * (output_squares + old_squares) : 0);
  return times * std::sqrt(product * product_squares + old * old_squares + stored * rounded_squares);
}

void append(const Side& side, const std::function<double(size_t)>& limit, std::vector<LineResidual>& lines) {
  for (size_t i = 0; i < side.got->of[0].size(); ++i) {
    LineResidual line{side.axis, static_cast<int64_t>(i), 0, limit(i)};
    for (size_t v = 0; v < 2; ++v) {
      const double residual = std::abs(side.got->of[v][i] - side.want->of[v][i]);
      if (!(residual <= line.residual)) line.residual = residual;  // NaN stays
      if (std::isnan(line.residual)) break;
    }
    if (!side.impossible->empty() && (*side.impossible)[i] != 0)
      line.residual = std::numeric_limits<double>::infinity();
    lines.push_back(line);
  }
}

template <class T>
void flag_impossible(const Matrix<const T>& got, double largest_result, int fraction_bits,
                     std::vector<char>& rows, std::vector<char>& columns) {
  const double unit = std::ldexp(1.0, fraction_bits);
  const auto possible = [=](T cell) {
    const double x = static_cast<double>(cell);
    return std::abs(x) <= largest_result && std::nearbyint(x * unit) == x * unit;
  };
  std::mutex mutex;
  parallel_for(got.rows, std::max<int64_t>(1, (1 << 17) / got.cols), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T* row = got.row(i);
      if (std::all_of(row, row + got.cols, possible)) continue;
      rows[static_cast<size_t>(i)] = 1;
      const std::lock_guard lock(mutex);
      for (int64_t j = 0; j < got.cols; ++j)
        if (!possible(row[j])) columns[static_cast<size_t>(j)] = 1;
    }
  });
}

template void flag_impossible<float>(const Matrix<const float>&, double, int, std::vector<char>&,
                                     std::vector<char>&);
template void flag_impossible<bf16>(const Matrix<const bf16>&, double, int, std::vector<char>&,
                                     std::vector<char>&);
template void flag_impossible<double>(const Matrix<const double>&, double, int, std::vector<char>&,
                                      std::vector<char>&);

}  // namespace harness
