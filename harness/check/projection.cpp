// Checks outputs that are too large for a whole reference: weighted sums of all rows and columns, plus sampled cells.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <set>

#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "harness/check/observation.h"

namespace harness {

namespace {

/// Sampled rows and columns: about 45 x 45 = 2025 cells.
constexpr size_t sampled_lines = 45;
/// So many of the first and last wrong lines are compared cell by cell where they cross.
constexpr size_t wrong_lines_shown = 8;

/// Lines that hold a NaN or an infinity, by bits.
void add_not_finite(const Problem& problem, const std::byte* output, std::set<int64_t>& rows,
                    std::set<int64_t>& cols) {
  const BufferSpec& out = problem.output();
  std::vector<char> bad_cols(static_cast<size_t>(out.cols));
  std::mutex mutex;
  parallel_for(out.rows, std::max<int64_t>(1, (1 << 18) / out.cols), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t bad = 0;
      for (int64_t j = 0; j < out.cols; ++j) bad += !is_finite(problem.dtype(), output, i * out.ld + j);
      if (bad == 0) continue;
      const std::lock_guard lock(mutex);
      rows.insert(i);
      for (int64_t j = 0; j < out.cols; ++j)
        if (!is_finite(problem.dtype(), output, i * out.ld + j)) bad_cols[static_cast<size_t>(j)] = 1;
    }
  });
  for (int64_t j = 0; j < out.cols; ++j)
    if (bad_cols[static_cast<size_t>(j)] != 0) cols.insert(j);
}

/// A sample of the axis, with the first and last of the wrong lines.
std::vector<int64_t> with_wrong(std::vector<int64_t> sample, const std::set<int64_t>& wrong) {
  std::set<int64_t> all(sample.begin(), sample.end());
  size_t taken = 0;
  for (auto i = wrong.begin(); i != wrong.end() && taken < wrong_lines_shown; ++i, ++taken) all.insert(*i);
  taken = 0;
  for (auto i = wrong.rbegin(); i != wrong.rend() && taken < wrong_lines_shown; ++i, ++taken) all.insert(*i);
  return {all.begin(), all.end()};
}

/// The ratio to report for NaN, infinity, or any difference where the limit is 0.
constexpr double largest_ratio = std::numeric_limits<double>::max();

std::string of_lines(size_t wrong, int64_t total, std::string_view what) {
  return fmt::format("{} of {} {}", wrong, total, what);
}

/// normwise: the errors of an FFT are alike in all lines, also in those that read only padding or small pixels. `cell`: of one cell.
void give_largest_limit(std::vector<LineResidual>& lines, const BufferSpec& out, double cell) {
  for (const auto axis : {LineResidual::Axis::row, LineResidual::Axis::column}) {
    double largest = cell * std::sqrt(static_cast<double>(axis == LineResidual::Axis::row ? out.cols : out.rows));
    for (const LineResidual& line : lines)
      if (line.axis == axis) largest = std::max(largest, line.limit);
    for (LineResidual& line : lines)
      if (line.axis == axis) line.limit = largest;
  }
}

}  // namespace

CheckResult check_projection(const Problem& problem, Fill fill, const ConstHostBuffers& inputs,
                         const std::byte* output, const Precision& precision, uint64_t secret) {
  const Tolerance tolerance(problem, fill, precision);
  const BufferSpec& out = problem.output();

  std::set<int64_t> rows, cols;
  add_not_finite(problem, output, rows, cols);
  double line_ratio = 0;
  auto lines = problem.project(inputs, output, random_bits(secret, 0), fill, tolerance.u, tolerance.u_in);
  const double none[] = {0};
  if (tolerance.uniform) give_largest_limit(lines, out, tolerance.u * problem.normwise_scale(inputs, none));
  for (const LineResidual& line : lines) {
    const bool right = line.residual <= line.limit;  // NaN is not
    if (!right) (line.axis == LineResidual::Axis::row ? rows : cols).insert(line.index);
    if (line.residual == 0 || tolerance.exact) continue;
    const double ratio = line.residual / line.limit;
    line_ratio = std::max(line_ratio, ratio <= largest_ratio ? ratio : largest_ratio);
  }

  const auto row_sample = sample_axis(out.rows, sampled_lines, random_bits(secret, 1));
  const auto col_sample = sample_axis(out.cols, sampled_lines, random_bits(secret, 2));
  const Observation seen =
      observe(problem, tolerance, inputs, output, with_wrong(row_sample, rows), with_wrong(col_sample, cols));
  const WrongLines seen_lines = wrong_lines(seen);
  rows.insert(seen_lines.rows.begin(), seen_lines.rows.end());
  cols.insert(seen_lines.cols.begin(), seen_lines.cols.end());

  CheckResult v = summarize(seen);
  v.method = Method::projection;
  v.compared = static_cast<int64_t>(lines.size());
  v.wrong = static_cast<int64_t>(rows.size() + cols.size());
  v.right = v.wrong == 0;
  v.worst_ratio = std::max(v.worst_ratio, line_ratio);
  if (v.right) return v;
  if (v.worst_ratio <= 1) v.worst_ratio = largest_ratio;  // exact, and the cell was not found

  std::string head =
      fmt::format("weighted sums of {} and {} of {} are off, ", of_lines(rows.size(), out.rows, "rows"),
                  of_lines(cols.size(), out.cols, "columns"), out.name);
  head += seen.wrong > 0 ? describe_cells(seen, v, "first wrong cell found")
                         : "though no cell looked at is off by more than rounding explains";
  const WrongLines all{{rows.begin(), rows.end()}, {cols.begin(), cols.end()}};
  explain(v, std::move(head), common_value(seen, inputs, output), common_location(seen, all));
  return v;
}

}  // namespace harness
