// The reference result in float64. The same pass computes the scale of the error bound, |alpha||A||B| +
// |beta||C|.
#include <algorithm>
#include <cmath>
#include <vector>

#include "harness/base/parallel.h"
#include "reference/gemm/problem.h"

namespace harness::gemm {

namespace {

// A tile of B in float64 (32 x 64 x 8 bytes) and a row of sums fit into the L1 cache.
constexpr int64_t tile_rows = 32, tile_cols = 64, tile_depth = 32;
constexpr int64_t lanes = 8, unroll = 4;
static_assert(tile_cols % lanes == 0 && tile_depth % unroll == 0);

/// Sums of one row of a tile of C: of products and of their absolute values.
struct Sums {
  double value[tile_rows][tile_cols];
  double scale[tile_rows][tile_cols];
};

/// Four steps of k for one row and `width` columns, a multiple of `lanes`; `b` is packed, tile_cols a row.
void add_products(const double* a, const double* b, int64_t width, double* value, double* scale) {
  for (int64_t j = 0; j < width; j += lanes)
    for (int64_t l = j; l < j + lanes; ++l) {
      const double p0 = a[0] * b[l], p1 = a[1] * b[tile_cols + l];
      const double p2 = a[2] * b[2 * tile_cols + l], p3 = a[3] * b[3 * tile_cols + l];
      value[l] += (p0 + p1) + (p2 + p3);
      scale[l] += (std::abs(p0) + std::abs(p1)) + (std::abs(p2) + std::abs(p3));
    }
}

template <class T>
void multiply_tile(Matrix<const T> a, Matrix<const T> b, int64_t i0, int64_t j0, Sums& sums) {
  const int64_t rows = std::min(tile_rows, a.rows - i0), cols = std::min(tile_cols, b.cols - j0);
  const int64_t width = (cols + lanes - 1) / lanes * lanes;
  std::fill_n(&sums.value[0][0], rows * tile_cols, 0.0);
  std::fill_n(&sums.scale[0][0], rows * tile_cols, 0.0);
  double packed_a[tile_depth] = {}, packed_b[tile_depth * tile_cols] = {};
  for (int64_t p0 = 0; p0 < a.cols; p0 += tile_depth) {
    const int64_t depth = std::min(tile_depth, a.cols - p0);
    const int64_t steps = (depth + unroll - 1) / unroll * unroll;
    for (int64_t p = 0; p < depth; ++p) std::copy_n(b.row(p0 + p) + j0, cols, packed_b + p * tile_cols);
    std::fill(packed_b + depth * tile_cols, packed_b + steps * tile_cols, 0.0);
    for (int64_t i = 0; i < rows; ++i) {
      std::copy_n(a.row(i0 + i) + p0, depth, packed_a);
      std::fill(packed_a + depth, packed_a + steps, 0.0);
      for (int64_t p = 0; p < steps; p += unroll)
        add_products(packed_a + p, packed_b + p * tile_cols, width, sums.value[i], sums.scale[i]);
    }
  }
}

/// Replaces the sums by alpha * sum + beta * c. With beta = 0, C may hold NaN and is not read.
struct Scalars {
  double alpha, beta;
  void apply(double c, double& value, double& scale) const {
    value *= alpha;
    scale *= std::abs(alpha);
    if (beta == 0) return;
    value += beta * c;
    scale += std::abs(beta * c);
  }
};

template <class T>
void whole(const Gemm& g, const ConstHostBuffers& inputs, double* value, double* scale) {
  const auto a = matrix<T>(g, inputs, 0), b = matrix<T>(g, inputs, 1), c = matrix<T>(g, inputs, 2);
  const Scalars scalars{g.shape().alpha, g.shape().beta};
  const int64_t across = (c.cols + tile_cols - 1) / tile_cols, down = (c.rows + tile_rows - 1) / tile_rows;
  const int64_t grain = std::max<int64_t>(1, (1 << 20) / (tile_rows * tile_cols * a.cols));
  parallel_for(across * down, grain, [&](int64_t begin, int64_t end) {
    auto sums = std::make_unique<Sums>();
    for (int64_t t = begin; t < end; ++t) {
      const int64_t i0 = t / across * tile_rows, j0 = t % across * tile_cols;
      multiply_tile(a, b, i0, j0, *sums);
      for (int64_t i = i0; i < std::min(i0 + tile_rows, c.rows); ++i)
        for (int64_t j = j0; j < std::min(j0 + tile_cols, c.cols); ++j) {
          double& v = value[i * c.cols + j] = sums->value[i - i0][j - j0];
          double& s = scale[i * c.cols + j] = sums->scale[i - i0][j - j0];
          scalars.apply(scalars.beta == 0 ? 0 : static_cast<double>(c.at(i, j)), v, s);
        }
    }
  });
}

/// Cells of one column are computed together: the column of B is copied once, and rows of A are read in
/// order.
template <class T>
void some(const Gemm& g, const ConstHostBuffers& inputs, std::span<const Cell> cells, double* value,
          double* scale) {
  const auto a = matrix<T>(g, inputs, 0), b = matrix<T>(g, inputs, 1), c = matrix<T>(g, inputs, 2);
  const Scalars scalars{g.shape().alpha, g.shape().beta};
  std::vector<size_t> order(cells.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t x, size_t y) { return cells[x].col < cells[y].col; });
  const int64_t grain = std::max<int64_t>(1, (1 << 18) / a.cols);
  parallel_for(static_cast<int64_t>(order.size()), grain, [&](int64_t begin, int64_t end) {
    std::vector<double> column(static_cast<size_t>(a.cols));
    int64_t gathered = -1;
    for (int64_t o = begin; o < end; ++o) {
      const size_t index = order[static_cast<size_t>(o)];
      const Cell cell = cells[index];
      if (cell.col != gathered) {
        gathered = cell.col;
        for (int64_t p = 0; p < a.cols; ++p)
          column[static_cast<size_t>(p)] = static_cast<double>(b.at(p, cell.col));
      }
      double v[lanes] = {}, s[lanes] = {};
      const T* row = a.row(cell.row);
      for (int64_t p = 0; p < a.cols; ++p) {
        const double product = static_cast<double>(row[p]) * column[static_cast<size_t>(p)];
        v[p % lanes] += product;
        s[p % lanes] += std::abs(product);
      }
      value[index] = scale[index] = 0;
      for (int64_t l = 0; l < lanes; ++l) {
        value[index] += v[l];
        scale[index] += s[l];
      }
      scalars.apply(scalars.beta == 0 ? 0 : static_cast<double>(c.at(cell.row, cell.col)), value[index],
                    scale[index]);
    }
  });
}

}  // namespace

void Gemm::reference(const ConstHostBuffers& inputs, double* value, double* scale) const {
  with_type(dtype(), [&](auto type) { whole<decltype(type)>(*this, inputs, value, scale); });
}

void Gemm::reference_at(const ConstHostBuffers& inputs, std::span<const Cell> cells, double* value,
                        double* scale) const {
  with_type(dtype(), [&](auto type) { some<decltype(type)>(*this, inputs, cells, value, scale); });
}

double Gemm::old_part(const ConstHostBuffers& inputs, Cell cell) const {
  if (shape_.beta == 0) return 0;
  return with_type(dtype(), [&](auto type) { return shape_.beta * static_cast<double>(matrix<decltype(type)>(*this, inputs, 2).at(cell.row, cell.col)); });
}

// From all rows, even if only some cells are compared: Strassen's product has errors of this size in rows of small numbers too.
double Gemm::normwise_scale(const ConstHostBuffers& inputs, std::span<const double> scales) const {
  double largest = Problem::normwise_scale(inputs, scales);
  with_type(dtype(), [&](auto type) {
    using T = decltype(type);
    const auto a = matrix<T>(*this, inputs, 0), b = matrix<T>(*this, inputs, 1);
    const auto magnitude = [](T x) { return std::abs(static_cast<double>(x)); };
    std::vector<double> of_row(static_cast<size_t>(b.rows));
    for (int64_t p = 0; p < b.rows; ++p)
      for (int64_t j = 0; j < b.cols; ++j) of_row[static_cast<size_t>(p)] = std::max(of_row[static_cast<size_t>(p)], magnitude(b.at(p, j)));
    for (int64_t i = 0; i < a.rows; ++i) {
      double sum = 0;
      for (int64_t p = 0; p < a.cols; ++p) sum += magnitude(a.at(i, p)) * of_row[static_cast<size_t>(p)];
      largest = std::max(largest, std::abs(shape_.alpha) * sum);
    }
  });
  return largest;
}

}  // namespace harness::gemm
