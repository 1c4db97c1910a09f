// The projection of residuals.h for a convolution, which is linear in the image and in the filter. In
// float64.
//
// Rows: with a weight w(x) per column, the weighted row (b, f, y) of a right output is the sum over c, r, s
// of filter(f, c, r, s) Z(b, c, y stride + r - padding, s), where Z(b, c, h, s) is the row h of the image,
// weighted by w at the pixels that tap s reads. Z costs filter_width / stride passes over the input. The rows
// cost one product per filter and tap: the cost of the reference divided by the width of the output.
//
// Columns: with a weight v(f) per filter and d(b, y) per row of an output image, the weighted column x is the
// sum over c, r, s of G(c, r, s) U(c, r, x stride + s - padding), where G is the filters weighted by v, and
// U(c, r) sums the rows of all images that tap r reads, weighted by d: filter_height / stride passes over the
// input. The weight of a row of the output is the product v d. In exact arithmetic both vectors miss a wrong
// column with probability 1/R^2 at most, where R is the largest factor.
#include <algorithm>
#include <cmath>

#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "reference/common/residuals.h"
#include "reference/conv2d/problem.h"

namespace harness::conv2d {

namespace {

/// Weights of the output: per column, per filter, and per row of an output image.
struct Weights {
  Pair column, filter, row;
};

Weights draw_all(const Conv2d& p, uint64_t seed, bool exact) {
  const Shape& s = p.shape();
  const BufferSpec& out = p.output();
  const auto largest = [&](int64_t cells) {
    return exact ? largest_weight(p.largest_result(), static_cast<double>(cells), 0) : 0;
  };
  // With one filter or one output row, its weight is 1 or -1 and the other factor gets the whole range.
  const int64_t rows = s.batch * p.rows().outputs, range = largest(out.rows);
  int64_t of_filter = range, of_row = range;
  if (exact && s.filters == 1) of_filter = 1;
  if (exact && s.filters > 1 && rows == 1) of_row = 1;
  if (exact && s.filters > 1 && rows > 1)
    of_filter = of_row = static_cast<int64_t>(std::sqrt(static_cast<double>(range)));
  return {draw_weights(out.cols, random_bits(seed, 0), largest(out.cols)),
          draw_weights(s.filters, random_bits(seed, 1), of_filter),
          draw_weights(rows, random_bits(seed, 2), of_row)};
}

/// Weights of the rows of the output as a matrix.
Pair by_output_row(const Conv2d& p, const Weights& w) {
  Pair all(p.output().rows);
  const int64_t height = p.rows().outputs;
  for (size_t v = 0; v < 2; ++v)
    for (int64_t i = 0; i < p.output().rows; ++i) {
      const OutputPixel at = p.output_pixel({i, 0});
      all.of[v][static_cast<size_t>(i)] = w.filter.of[v][static_cast<size_t>(at.filter)] *
                                          w.row.of[v][static_cast<size_t>(at.image * height + at.y)];
    }
  return all;
}

/// The expected lines, and per line the sum over its cells of |patch of the image|^2 |filter|^2.
struct Expected {
  Pair lines;
  std::vector<double> squares;
};

/// Sums of squares of single filters.
template <class T>
std::vector<double> filter_squares(const Conv2d& p, const Matrix<const T>& filter) {
  const int64_t rows = p.shape().channels * p.shape().filter_height;
  std::vector<double> squares(static_cast<size_t>(p.shape().filters));
  for (int64_t i = 0; i < filter.rows; ++i)
    for (int64_t t = 0; t < filter.cols; ++t) {
      const double x = static_cast<double>(filter.at(i, t));
      squares[static_cast<size_t>(i / rows)] += x * x;
    }
  return squares;
}

template <class T>
class Projection {
 public:
  Projection(const Conv2d& p, const ConstHostBuffers& inputs, const Weights& weights)
      : p_(p),
        s_(p.shape()),
        rows_(p.rows()),
        columns_(p.columns()),
        w_(weights),
        input_(matrix<T>(p, inputs, 0)),
        filter_(matrix<T>(p, inputs, 1)),
        filter_squares_(filter_squares(p, filter_)) {}

  Expected rows() const {
    // Three numbers per input row and tap: the sums weighted with each vector, and the sum of squares.
    const int64_t taps = s_.filter_width;
    std::vector<double> z(static_cast<size_t>(input_.rows * taps * 3));
    parallel_for(input_.rows, std::max<int64_t>(1, (1 << 16) / (taps * columns_.outputs)),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t i = begin; i < end; ++i)
                     for (int64_t t = 0; t < taps; ++t)
                       weigh_input_row(i, t, &z[static_cast<size_t>((i * taps + t) * 3)]);
                 });
    Expected e{Pair(p_.output().rows), std::vector<double>(static_cast<size_t>(p_.output().rows))};
    parallel_for(p_.output().rows, std::max<int64_t>(1, (1 << 16) / p_.reduction_length()),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t i = begin; i < end; ++i) output_row(i, z, e);
                 });
    return e;
  }

  Expected columns() const {
    const int64_t lines = s_.channels * s_.filter_height;
    Expected e{Pair(columns_.outputs), std::vector<double>(static_cast<size_t>(columns_.outputs))};
    double all_filters = 0;
    for (const double x : filter_squares_) all_filters += x;
    // One task per (c, r). Their results are added in order, so the sum does not depend on the number of
    // threads.
    std::vector<std::vector<double>> parts(static_cast<size_t>(lines));
    parallel_for(lines, std::max<int64_t>(1, (1 << 16) / (s_.batch * rows_.outputs * s_.width)),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t i = begin; i < end; ++i) parts[static_cast<size_t>(i)] = column_part(i);
                 });
    for (const std::vector<double>& part : parts)
      for (size_t x = 0; x < e.squares.size(); ++x) {
        e.lines.of[0][x] += part[3 * x];
        e.lines.of[1][x] += part[3 * x + 1];
        e.squares[x] += part[3 * x + 2] * all_filters;
      }
    return e;
  }

 private:
  /// The pixels of input row `i` that tap `t` reads.
  void weigh_input_row(int64_t i, int64_t t, double* z) const {
    const T* row = input_.row(i);
    const Range outputs = columns_.valid_outputs(t);
    double a = 0, b = 0, squares = 0;
    for (int64_t x = outputs.begin; x < outputs.end; ++x) {
      const double e = static_cast<double>(row[columns_.under(x, t)]);
      a += w_.column.of[0][static_cast<size_t>(x)] * e;
      b += w_.column.of[1][static_cast<size_t>(x)] * e;
      squares += e * e;
    }
    z[0] = a;
    z[1] = b;
    z[2] = squares;
  }

  void output_row(int64_t i, const std::vector<double>& z, Expected& e) const {
    const OutputPixel at = p_.output_pixel({i, 0});
    double a = 0, b = 0, squares = 0;
    for (int64_t c = 0; c < s_.channels; ++c)
      for (int64_t r = 0; r < s_.filter_height; ++r) {
        const int64_t line = rows_.under(at.y, r);
        if (!rows_.inside(line)) continue;
        const T* weights = filter_.row((at.filter * s_.channels + c) * s_.filter_height + r);
        const double* from =
            &z[static_cast<size_t>(((at.image * s_.channels + c) * s_.height + line) * s_.filter_width * 3)];
        for (int64_t t = 0; t < s_.filter_width; ++t) {
          const double weight = static_cast<double>(weights[t]);
          a += weight * from[3 * t];
          b += weight * from[3 * t + 1];
          squares += from[3 * t + 2];
        }
      }
    const auto row = static_cast<size_t>(i);
    e.lines.of[0][row] = a;
    e.lines.of[1][row] = b;
    e.squares[row] = squares * filter_squares_[static_cast<size_t>(at.filter)];
  }

  /// What (channel, filter row) number `i` adds to the columns: both vectors and the squares of the image.
  std::vector<double> column_part(int64_t i) const {
    const int64_t c = i / s_.filter_height, r = i % s_.filter_height;
    std::vector<double> u(static_cast<size_t>(s_.width * 3)), part(static_cast<size_t>(columns_.outputs * 3));
    const Range outputs = rows_.valid_outputs(r);
    for (int64_t b = 0; b < s_.batch; ++b)
      for (int64_t y = outputs.begin; y < outputs.end; ++y) {
        const T* row = input_.row((b * s_.channels + c) * s_.height + rows_.under(y, r));
        const auto d = static_cast<size_t>(b * rows_.outputs + y);
        const double first = w_.row.of[0][d], second = w_.row.of[1][d];
        for (int64_t x = 0; x < s_.width; ++x) {
          const double e = static_cast<double>(row[x]);
          double* to = &u[static_cast<size_t>(3 * x)];
          to[0] += first * e;
          to[1] += second * e;
          to[2] += e * e;
        }
      }
    for (int64_t t = 0; t < s_.filter_width; ++t) {
      double g[2] = {};
      for (int64_t f = 0; f < s_.filters; ++f)
        for (size_t v = 0; v < 2; ++v)
          g[v] += w_.filter.of[v][static_cast<size_t>(f)] *
                  static_cast<double>(filter_.at((f * s_.channels + c) * s_.filter_height + r, t));
      const Range met = columns_.valid_outputs(t);
      for (int64_t x = met.begin; x < met.end; ++x) {
        const double* from = &u[static_cast<size_t>(3 * columns_.under(x, t))];
        double* to = &part[static_cast<size_t>(3 * x)];
        to[0] += g[0] * from[0];
        to[1] += g[1] * from[1];
        to[2] += from[2];
      }
    }
    return part;
  }

  const Conv2d& p_;
  Shape s_;
  Edge rows_, columns_;
  const Weights& w_;
  Matrix<const T> input_, filter_;
  std::vector<double> filter_squares_;
};

template <class T>
std::vector<LineResidual> lines_of(const Conv2d& p, const ConstHostBuffers& inputs, const std::byte* output,
                                   uint64_t seed, bool exact, double u, double u_in) {
  const BufferSpec& out = p.output();
  const Matrix<const T> got{reinterpret_cast<const T*>(output), out.rows, out.cols, out.ld};
  const Weights weights = draw_all(p, seed, exact);
  const Pair of_rows = by_output_row(p, weights);
  const Weighed of_got = weigh<T>(got, &weights.column, &of_rows);
  const Projection<T> projection(p, inputs, weights);
  const Expected rows = projection.rows(), columns = projection.columns();

  std::vector<char> bad_rows, bad_columns;
  if (exact) {
    bad_rows.resize(static_cast<size_t>(out.rows));
    bad_columns.resize(static_cast<size_t>(out.cols));
    flag_impossible(got, p.largest_result(), 0, bad_rows, bad_columns);
  }
  std::vector<LineResidual> lines;
  lines.reserve(static_cast<size_t>(out.rows + out.cols));
  const auto add = [&](const Side& side, const Expected& want, int64_t length, const std::vector<double>& squares) {
    const ResidualLimit limits(static_cast<double>(p.reduction_length()), static_cast<double>(length), u,
                               u_in, stored_roundoff(p.dtype()));
    append(
        side, [&](size_t i) { return exact ? 0 : limits(want.squares[i], 0, squares[i]); }, lines);
  };
  add({LineResidual::Axis::row, &of_got.right, &rows.lines, &bad_rows}, rows, out.cols, of_got.row_squares);
  add({LineResidual::Axis::column, &of_got.left, &columns.lines, &bad_columns}, columns, out.rows, of_got.column_squares);
  return lines;
}

}  // namespace

std::vector<LineResidual> Conv2d::project(const ConstHostBuffers& inputs, const std::byte* output,
                                          uint64_t seed, Fill fill, double u, double u_in) const {
  const bool exact = fill == Fill::integers && exact_possible(u, u_in);
  return with_type(dtype(), [&](auto type) {
    return lines_of<decltype(type)>(*this, inputs, output, seed, exact, u, u_in);
  });
}

}  // namespace harness::conv2d
