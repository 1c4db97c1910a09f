// Patterns in the location of wrong cells.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "harness/base/text.h"
#include "harness/check/observation.h"

namespace harness {

namespace {

/// An incomplete tile at the end of an axis is shorter than this.
constexpr int64_t longest_tail = 128;

/// Number of wrong indices if they are exactly the last ones of the axis and there are right ones before; else 0.
int64_t tail(const std::vector<int64_t>& wrong, int64_t total) {
  const auto count = static_cast<int64_t>(wrong.size());
  return count > 0 && count < total && wrong.front() == total - count ? count : 0;
}

bool is_tail(int64_t wrong, int64_t total) { return wrong < longest_tail && 2 * wrong < total; }

/// "the last row", "the last 3 of 37 rows"
std::string last(int64_t count, int64_t total, std::string_view what) {
  return count == 1 ? fmt::format("the last {}", what) : fmt::format("the last {} of {} {}s", count, total, what);
}

/// The last `rows` rows, the last `cols` columns, or both, joined by the word `joined`; 0 leaves one out.
Mismatch at_end(const Observation& o, int64_t rows, int64_t cols, std::string_view joined) {
  std::vector<std::string> lines;
  if (rows > 0) lines.push_back(last(rows, o.total_rows(), "row"));
  if (cols > 0) lines.push_back(last(cols, o.total_cols(), "column"));
  // A cell with a number of its own was reached.
  bool written = false;
  for (size_t i = 0; i < o.size(); ++i) written = written || (o.state[i] == CellState::wrong && o.got[i] != 0);
  const bool short_tails = is_tail(rows, o.total_rows()) && is_tail(cols, o.total_cols());
  return {fmt::format("every wrong cell lies in {}", join(lines, joined)),
          short_tails ? "is the incomplete tile at the end handled?"
          : written   ? "is an index or the distance between two rows wrong from there on?"
                      : "do the loops or the threads reach all of the output?"};
}

/// Most cells of the last `rows` rows and `cols` columns are wrong; 0 stands for all of them.
bool mostly_wrong(const Observation& o, int64_t rows, int64_t cols) {
  int64_t wrong = 0, all = 0;
  for (size_t i = 0; i < o.size(); ++i) {
    const Cell c = o.cell(i);
    if ((rows > 0 && c.row < o.total_rows() - rows) || (cols > 0 && c.col < o.total_cols() - cols)) continue;
    ++all;
    wrong += o.state[i] != CellState::right;
  }
  return 5 * wrong >= 4 * all;
}

std::optional<Mismatch> ends(const Observation& o, const WrongLines& lines) {
  const int64_t rows = tail(lines.rows, o.total_rows()), cols = tail(lines.cols, o.total_cols());
  if (rows == 0 && cols == 0) return std::nullopt;
  // If wrong cells lie here and there, the first lines may be right by chance.
  const bool long_tail = 2 * rows > o.total_rows() || 2 * cols > o.total_cols();
  if (long_tail && !mostly_wrong(o, rows, cols)) return std::nullopt;
  return at_end(o, rows, cols, " and ");
}

/// The last rows and the last columns together.
std::optional<Mismatch> both_ends(const Observation& o) {
  int64_t first_row = o.total_rows(), first_col = o.total_cols();
  for (size_t i = 0; i < o.size(); ++i) {
    if (o.state[i] == CellState::right) continue;
    const Cell c = o.cell(i);
    if (c.col == o.cols.front()) first_row = std::min(first_row, c.row);
    if (c.row == o.rows.front()) first_col = std::min(first_col, c.col);
  }
  if (first_row == o.rows.front() || first_row == o.total_rows() || first_col == o.cols.front() ||
      first_col == o.total_cols())
    return std::nullopt;
  for (size_t i = 0; i < o.size(); ++i) {
    const Cell c = o.cell(i);
    const bool in_tail = c.row >= first_row || c.col >= first_col;
    if ((o.state[i] == CellState::right) == in_tail) return std::nullopt;
  }
  return at_end(o, o.total_rows() - first_row, o.total_cols() - first_col, " or ");
}

/// A single row or column that is not the last.
std::optional<Mismatch> single(const std::vector<int64_t>& wrong, int64_t total, std::string_view what) {
  if (wrong.size() != 1 || wrong[0] + 1 == total) return std::nullopt;
  return Mismatch{fmt::format("every wrong cell lies in {} {}", what, wrong[0]), ""};
}

/// "a row with row % 8 == 7"
std::optional<Mismatch> regular(const Observation& o, const std::vector<int64_t>& wrong, int64_t total, std::string_view what) {
  const auto count = static_cast<int64_t>(wrong.size());
  if (count < 3 || count == total) return std::nullopt;  // any two have a step
  if (o.wrong < 2 * count) return std::nullopt;          // a few cells may lie so by chance
  int64_t step = 0;
  for (const int64_t i : wrong) step = std::gcd(step, i - wrong[0]);
  const bool complete =
      wrong[0] < step && wrong.back() + step >= total && (wrong.back() - wrong[0]) / step + 1 == count;
  if (step < 2 || !complete) return std::nullopt;
  return Mismatch{fmt::format("every wrong cell lies in a {0} with {0} % {1} == {2}", what, step, wrong[0]), ""};
}

/// Some tiles are wholly wrong and all others are right.
std::optional<Mismatch> tiles(const Observation& o) {
  if (!o.whole() || o.wrong == 0) return std::nullopt;
  for (int64_t t = 64; t >= 4; t /= 2) {
    const int64_t across = (o.total_cols() + t - 1) / t, down = (o.total_rows() + t - 1) / t;
    if (across * down < 3) continue;
    std::vector<int64_t> wrong(static_cast<size_t>(across * down)), cells(wrong.size());
    for (size_t i = 0; i < o.size(); ++i) {
      const Cell c = o.cell(i);
      const auto tile = static_cast<size_t>(c.row / t * across + c.col / t);
      ++cells[tile];
      wrong[tile] += o.state[i] != CellState::right;
    }
    int64_t bad = 0, first = -1;
    bool whole = true;
    for (size_t i = 0; i < wrong.size() && whole; ++i) {
      whole = wrong[i] == 0 || wrong[i] == cells[i];
      if (wrong[i] == 0) continue;
      ++bad;
      if (first < 0) first = static_cast<int64_t>(i);
    }
    if (!whole || bad == across * down) continue;
    return Mismatch{fmt::format("whole tiles are wrong: {} of {}, {} x {} each, the first at {}[{}][{}]", bad,
                                across * down, t, t, o.problem.output().name, first / across * t, first % across * t),
                    "is a barrier missing, is a tile left out, or are two indices exchanged?"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Mismatch> common_location(const Observation& o, const WrongLines& lines) {
  const bool everywhere = o.whole() && o.wrong == static_cast<int64_t>(o.size());
  const bool one_cell = lines.rows.size() == 1 && lines.cols.size() == 1;
  if (everywhere || one_cell) return std::nullopt;
  if (auto found = single(lines.rows, o.total_rows(), "row")) return found;
  if (auto found = single(lines.cols, o.total_cols(), "column")) return found;
  if (auto found = ends(o, lines)) return found;
  if (auto found = both_ends(o)) return found;
  if (auto found = tiles(o)) return found;
  if (auto found = regular(o, lines.rows, o.total_rows(), "row")) return found;
  return regular(o, lines.cols, o.total_cols(), "column");
}

}  // namespace harness
