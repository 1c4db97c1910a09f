#include "reference/common/weigh.h"

#include <algorithm>
#include <numeric>

#include "harness/base/parallel.h"

namespace harness {

namespace {

constexpr int64_t lanes = 8;
/// The elements, weights and sums of a segment (5 vectors of 512 float64) fit into the L1 cache.
constexpr int64_t segment_cols = 512;
static_assert(segment_cols % lanes == 0);
/// Each task sums its own rows, and the sums are added in order, so the result does not depend on the number
/// of threads.
constexpr int64_t least_task_rows = 16, most_tasks = 64;

/// Rows [begin, end) of one column segment.
struct Segment {
  alignas(64) double element[segment_cols] = {};
  alignas(64) double weight[2][segment_cols] = {};
  alignas(64) double sum[2][segment_cols] = {};
  alignas(64) double squares[segment_cols] = {};

  /// Sums over the row in `element`, up to column `width` (a multiple of lanes; the rest is 0).
  struct RowSums {
    double first, second, squares;
  };

  RowSums weigh_row(int64_t width) const {
    double a[lanes] = {}, b[lanes] = {}, s[lanes] = {};
    for (int64_t j = 0; j < width; j += lanes)
      for (int64_t l = 0; l < lanes; ++l) {
        const double e = element[j + l];
        a[l] += e * weight[0][j + l];
        b[l] += e * weight[1][j + l];
        s[l] += e * e;
      }
    return {std::accumulate(a, a + lanes, 0.0), std::accumulate(b, b + lanes, 0.0),
            std::accumulate(s, s + lanes, 0.0)};
  }

  void weigh_columns(int64_t width, double first, double second) {
    for (int64_t j = 0; j < width; j += lanes)
      for (int64_t l = j; l < j + lanes; ++l) {
        const double e = element[l];
        sum[0][l] += first * e;
        sum[1][l] += second * e;
        squares[l] += e * e;
      }
  }
};

struct ColumnSums {
  Pair left;
  std::vector<double> squares;
};

template <class T>
void weigh_rows(const Matrix<const T>& m, const Pair* x, const Pair* y, int64_t begin, int64_t end,
                Weighed& out, ColumnSums& columns) {
  auto segment = std::make_unique<Segment>();
  for (int64_t j0 = 0; j0 < m.cols; j0 += segment_cols) {
    const int64_t cols = std::min(segment_cols, m.cols - j0), width = (cols + lanes - 1) / lanes * lanes;
    *segment = {};
    if (x != nullptr)
      for (int v = 0; v < 2; ++v) std::copy_n(x->of[v].data() + j0, cols, segment->weight[v]);
    for (int64_t i = begin; i < end; ++i) {
      const auto row = static_cast<size_t>(i);
      std::copy_n(m.row(i) + j0, cols, segment->element);
      if (x != nullptr) {
        const Segment::RowSums sums = segment->weigh_row(width);
        out.right.of[0][row] += sums.first;
        out.right.of[1][row] += sums.second;
        out.row_squares[row] += sums.squares;
      }
      if (y != nullptr) segment->weigh_columns(width, y->of[0][row], y->of[1][row]);
    }
    if (y == nullptr) continue;
    for (int v = 0; v < 2; ++v) std::copy_n(segment->sum[v], cols, columns.left.of[v].data() + j0);
    std::copy_n(segment->squares, cols, columns.squares.data() + j0);
  }
}

void add(const std::vector<double>& from, std::vector<double>& to) {
  std::transform(from.begin(), from.end(), to.begin(), to.begin(), std::plus<>());
}

}  // namespace

double Weighed::squares() const {
  const auto& parts = row_squares.empty() ? column_squares : row_squares;
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

template <class T>
Weighed weigh(const Matrix<const T>& m, const Pair* x, const Pair* y) {
  Weighed out;
  if (x != nullptr) {
    out.right = Pair(m.rows);
    out.row_squares.resize(static_cast<size_t>(m.rows));
  }
  if (y != nullptr) {
    out.left = Pair(m.cols);
    out.column_squares.resize(static_cast<size_t>(m.cols));
  }
  const int64_t tasks = std::clamp<int64_t>(m.rows / least_task_rows, 1, most_tasks);
  std::vector<ColumnSums> columns(static_cast<size_t>(y != nullptr ? tasks : 0));
  for (ColumnSums& c : columns) c = {Pair(m.cols), std::vector<double>(static_cast<size_t>(m.cols))};
  ColumnSums unused;

  const int64_t grain = std::max<int64_t>(1, (int64_t{1} << 17) / (m.rows * m.cols / tasks + 1));
  parallel_for(tasks, grain, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t)
      weigh_rows(m, x, y, m.rows * t / tasks, m.rows * (t + 1) / tasks, out,
                 y != nullptr ? columns[static_cast<size_t>(t)] : unused);
  });
  for (const ColumnSums& c : columns) {
    for (int v = 0; v < 2; ++v) add(c.left.of[v], out.left.of[v]);
    add(c.squares, out.column_squares);
  }
  return out;
}

template Weighed weigh<float>(const Matrix<const float>&, const Pair*, const Pair*);
template Weighed weigh<bf16>(const Matrix<const bf16>&, const Pair*, const Pair*);
template Weighed weigh<double>(const Matrix<const double>&, const Pair*, const Pair*);

}  // namespace harness
