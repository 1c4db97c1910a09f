// The cells of an output that were compared, with the values they should have.
#pragma once

#include <span>
#include <vector>

#include "harness/check/tolerance.h"

namespace harness {

enum class CellState : uint8_t {
  right,
  wrong,         // a number, and not the right one
  huge,          // so large that only the padding between rows and the bands around buffers explain it
  unwritten,     // still the bits it had before the call
  from_padding,  // the NaN of the padding between rows, or computed from it on a CPU
  not_finite,    // another NaN, or infinite
};

/// A grid of cells, rows x cols: all of the output, or a sample of it.
struct Observation {
  const Problem& problem;
  Tolerance tolerance;
  std::vector<int64_t> rows, cols;  // ascending
  std::vector<double> got, want, scale, old;  // old: the part of `want` that comes from the old value
  std::vector<CellState> state;
  int64_t wrong = 0;  // states other than right

  int64_t total_rows() const { return problem.output().rows; }
  int64_t total_cols() const { return problem.output().cols; }
  bool whole() const { return size() == static_cast<size_t>(total_rows() * total_cols()); }
  size_t size() const { return rows.size() * cols.size(); }
  Cell cell(size_t index) const { return {rows[index / cols.size()], cols[index % cols.size()]}; }
};

/// Compares every cell, or the cells of a grid.
Observation observe(const Problem& problem, const Tolerance& tolerance, const ConstHostBuffers& inputs,
                    const std::byte* output);
Observation observe(const Problem& problem, const Tolerance& tolerance, const ConstHostBuffers& inputs,
                    const std::byte* output, std::vector<int64_t> rows, std::vector<int64_t> cols);

/// Counts, ratios, first and worst cell, `weak`; `right` if no cell is wrong. No message.
CheckResult summarize(const Observation& seen);

/// Lines of the output that hold wrong cells: all of them, ascending.
struct WrongLines {
  std::vector<int64_t> rows, cols;
};
WrongLines wrong_lines(const Observation& seen);

/// What the wrong cells have in common ("every wrong cell lies in the last row"), and a question that may lead the
/// student to the mistake.
struct Mismatch {
  std::string what, question;
  bool only_size = false;  // the size of the errors, which many mistakes share
};
/// A pattern in the values of the wrong cells. Asks Problem::explain as well.
std::optional<Mismatch> common_value(const Observation& seen, const ConstHostBuffers& inputs,
                                    const std::byte* output);
/// A pattern in the location of the wrong cells.
std::optional<Mismatch> common_location(const Observation& seen, const WrongLines& lines);

/// Sets the message of a wrong result: `head`, then both mismatches, then one question.
void explain(CheckResult& result, std::string head, std::optional<Mismatch> value, std::optional<Mismatch> location);

/// `first` and `worst` of a result in words: "first C[0][3]: got 1.5, want 2 (bound 1e-06)".
std::string describe_cells(const Observation& seen, const CheckResult& verdict, std::string_view first_called);

/// Selects about `count` indices of an axis, ascending and without repetition: both ends, the starts of the last tiles
/// of 8 to 128, some edges of tiles, and some at random. For a short axis it returns all indices.
std::vector<int64_t> sample_axis(int64_t size, size_t count, uint64_t secret);

}  // namespace harness
