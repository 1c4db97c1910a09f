// Patterns in the values of wrong cells that need no knowledge of the kernel.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/check/observation.h"

namespace harness {

namespace {

/// With two states: at least one cell has the first. (A wrong number may by chance be the one that was there before.)
bool all_wrong_are(const Observation& o, CellState state, std::optional<CellState> or_this = std::nullopt) {
  return std::ranges::find(o.state, state) != o.state.end() &&
         std::ranges::all_of(o.state, [=](CellState s) { return s == CellState::right || s == state || s == or_this; });
}

/// Calls f(index) for each wrong cell until it returns false. Returns true if it never did.
template <class F>
bool each_wrong(const Observation& o, F f) {
  for (size_t i = 0; i < o.size(); ++i)
    if (o.state[i] != CellState::right && !f(i)) return false;
  return true;
}

std::optional<Mismatch> not_written(const Observation& o) {
  if (!all_wrong_are(o, CellState::unwritten)) return std::nullopt;
  if (each_wrong(o, [&](size_t i) { return std::isfinite(o.got[i]); }))
    return Mismatch{"every wrong cell still holds its old value", "was it written?"};
  return Mismatch{"every wrong cell still holds the NaN from before",
                  fmt::format("was it written, or is {} read, whose old values do not count here?", o.problem.output().name)};
}

/// Some kernels have packed rows only.
bool rows_have_padding(const Problem& problem) {
  return std::ranges::any_of(problem.buffers(), [](const BufferSpec& buffer) { return buffer.ld > buffer.cols; });
}

std::optional<Mismatch> not_a_number(const Observation& o) {
  if (all_wrong_are(o, CellState::from_padding))
    return Mismatch{"every wrong cell was computed from the padding behind a row",
                    "is the leading dimension used, and does an index pass the end of a row?"};
  if (all_wrong_are(o, CellState::huge, CellState::from_padding) ||
      all_wrong_are(o, CellState::huge, CellState::not_finite)) {
    if (!rows_have_padding(o.problem))
      return Mismatch{"every wrong cell is huge or NaN, as is the memory around buffers",
                      "does an index pass the end of a row or of a buffer?"};
    return Mismatch{"every wrong cell is huge or NaN, as are the padding behind rows and the memory around buffers",
                    "is the leading dimension used, and does an index pass the end of a row or of a buffer?"};
  }
  if (all_wrong_are(o, CellState::not_finite))
    return Mismatch{"every wrong cell is NaN or infinite",
                    "is memory read that was not set, or the padding behind a row?"};
  return std::nullopt;
}

std::optional<Mismatch> zeros(const Observation& o) {
  if (o.wrong < 2 || !each_wrong(o, [&](size_t i) { return o.got[i] == 0; })) return std::nullopt;
  return Mismatch{"every wrong cell is 0", ""};
}

/// How far roundings may move a wrong cell.
double rounding_of(const Observation& o, size_t i) {
  const Tolerance& t = o.tolerance;
  return t.exact ? 4 * std::max(t.u, t.u_stored) * std::abs(o.got[i]) : t.rounding(o.got[i], o.scale[i]);
}

std::optional<Mismatch> factor(const Observation& o) {
  if (o.wrong < 2 || !all_wrong_are(o, CellState::wrong, CellState::unwritten)) return std::nullopt;
  size_t largest = 0;
  each_wrong(o, [&](size_t i) {
    if (o.state[largest] == CellState::right || std::abs(o.want[i]) > std::abs(o.want[largest])) largest = i;
    return true;
  });
  const double f = o.got[largest] / o.want[largest];
  const bool fits = each_wrong(o, [&](size_t i) {
    const double slack = rounding_of(o, i) * (o.tolerance.exact ? 1 : 1 + std::abs(f));
    return std::abs(o.got[i] - f * o.want[i]) <= slack;
  });
  if (!fits) return std::nullopt;
  if (std::abs(f - 1) < 0.02) return std::nullopt;  // roundings, more likely
  if (std::abs(f + 1) < 1e-3) return Mismatch{"every wrong cell has the opposite sign", ""};
  return Mismatch{fmt::format("every wrong cell is {:.4g} times the right value", f), ""};
}

std::optional<Mismatch> offset(const Observation& o) {
  if (o.wrong < 4 || !all_wrong_are(o, CellState::wrong, CellState::unwritten)) return std::nullopt;
  double common = 0;
  const bool fits = each_wrong(o, [&](size_t i) {
    const double off = o.got[i] - o.want[i];
    if (common == 0) common = off;
    return std::abs(off - common) <= rounding_of(o, i);
  });
  // Many roundings have no common value, and one of them is small beside the sum.
  if (!fits || 2 * std::abs(common) < 1e-3) return std::nullopt;
  return Mismatch{fmt::format("every wrong cell is {:.4g} too {}", std::abs(common), common > 0 ? "large" : "small"),
                  "is a constant added, or does the sum begin with another value than 0?"};
}

/// The wrong cells hold the values of a neighbour, `down` rows below and `right` columns to the right.
bool shifted(const Observation& o, int64_t down, int64_t right) {
  int64_t matched = 0;
  const bool fits = each_wrong(o, [&](size_t i) {
    const Cell c = o.cell(i);
    const int64_t row = c.row + down, col = c.col + right;
    if (row < 0 || row >= o.total_rows() || col < 0 || col >= o.total_cols()) return true;
    const auto neighbour = static_cast<size_t>(row * o.total_cols() + col);
    ++matched;
    return o.tolerance.near(o.got[i], o.want[neighbour], o.scale[neighbour]);
  });
  return fits && matched >= 4 && 2 * matched >= o.wrong;
}

std::optional<Mismatch> shift(const Observation& o) {
  if (!o.whole()) return std::nullopt;
  if (shifted(o, 0, 1) || shifted(o, 0, -1))
    return Mismatch{"every wrong cell holds the value of the cell beside it", "is a column index off by one?"};
  if (shifted(o, 1, 0) || shifted(o, -1, 0))
    return Mismatch{"every wrong cell holds the value of the cell above or below", "is a row index off by one?"};
  return std::nullopt;
}

/// The sum goes on from the cell before, of the row or of the whole output.
std::optional<Mismatch> running_sum(const Observation& o) {
  if (o.wrong < 2 || !o.whole()) return std::nullopt;
  const bool fits = each_wrong(o, [&](size_t i) {
    if (i == 0) return false;
    const double before = std::abs(o.got[i - 1]);
    const double slack = o.tolerance.rounding(std::abs(o.got[i]) + before, o.scale[i] + before);
    return std::abs(o.got[i] - o.got[i - 1] - o.want[i]) <= slack;
  });
  if (!fits) return std::nullopt;
  return Mismatch{"every wrong cell is the right value plus the cell before it", "is the sum set to 0 for each cell?"};
}

/// Rounding to p bits somewhere moves a sum of K terms by about 2^-p / sqrt(K) of their magnitudes; a mistake
/// in an index or a missing term changes it by more. A sum that is itself kept in bfloat16 is rounded K times: it
/// moves by less than 8 * 2^-8 of the magnitudes (the largest of 570,000 simulated sums of 20 to 500 terms: 4.6 * 2^-8).
std::optional<Mismatch> short_numbers(const Observation& o) {
  if (o.wrong > 0 && 10 * static_cast<size_t>(o.wrong) < o.size()) return std::nullopt;
  const Dtype dtype = o.problem.dtype();
  const double k = static_cast<double>(o.problem.reduction_length());
  const double largest = dtype == Dtype::bf16 ? 0x1p-5 : 0x1p-5 / std::sqrt(k);
  if (!each_wrong(o, [&](size_t i) { return std::abs(o.got[i] - o.want[i]) <= largest * o.scale[i]; }))
    return std::nullopt;
  const std::string what = "all errors are small, but larger than rounding";
  const auto is_cut_off = [&](size_t i) {
    const double lost = std::abs(o.want[i]) - std::abs(o.got[i]);
    return lost >= 0 && lost <= 0x1p-7 * std::abs(o.want[i]);
  };
  if (dtype == Dtype::bf16 && o.wrong >= 8 && each_wrong(o, is_cut_off))
    return Mismatch{"every wrong cell is a little too small", "is the result cut off where it should be rounded?"};
  if (dtype != Dtype::bf16 && o.problem.output().role == Role::inout)
    return Mismatch{what,
                    fmt::format("is the old value of {} used in another way, or does something have fewer digits, as TF32 or "
                                "Strassen's algorithm?",
                                o.problem.output().name),
                    true};
  if (o.tolerance.uniform)
    return Mismatch{what, "is something computed with fewer digits, or does the algorithm round too often, as Strassen's recursion down to small blocks?", true};
  return Mismatch{what,
                  dtype == Dtype::f64   ? "is a float used where a double belongs, or Strassen, Winograd or FFT without "
                                          "LAB_PRECISION(normwise)?"
                  : dtype == Dtype::f32 ? "is something computed in half precision or TF32, or by Strassen, Winograd or FFT "
                                          "without LAB_PRECISION(normwise)?"
                  : k == 1              ? "is the result cut off where it should be rounded, or is a sum kept in bfloat16?"
                                        : "is a sum kept in bfloat16?",
                  true};
}

/// Small whole numbers have exact sums, and a mistake in them is not tiny. An FFT has tiny errors everywhere, also where only padding
/// is read. Memory that was never set may hold numbers that are smaller still.
std::optional<Mismatch> exact_as_a_whole(const Observation& o, const ConstHostBuffers& inputs) {
  constexpr double half_of_the_smallest_mistake = 0.25;  // alpha and beta have halves
  constexpr double least_rounding = 1e-6;                // times the bound: a smaller error comes from memory that was never set
  constexpr size_t fewest_cells = 16;                    // a small output has no result that is large beside the others
  if (!o.tolerance.exact || o.got.size() < fewest_cells) return std::nullopt;
  const Tolerance normwise(o.problem, Fill::integers, {.normwise = true});
  const double scale = o.problem.normwise_scale(inputs, o.scale);
  bool is_rounding = false;
  if (!each_wrong(o, [&](size_t i) {
        const double error = std::abs(o.got[i] - o.want[i]), bound = normwise.rounding(o.want[i], scale);
        is_rounding |= error > least_rounding * bound;
        return error <= std::min(bound, half_of_the_smallest_mistake);
      }) || !is_rounding)
    return std::nullopt;
  return Mismatch{"every difference is tiny beside the largest result",
                  "if the algorithm is exact only relative to the whole (FFT, Winograd, Strassen), declare LAB_PRECISION(normwise)"};
}

/// "what: question?"
Mismatch split_question(const std::string& sentence) {
  const size_t colon = sentence.rfind(": ");
  if (colon == std::string::npos) return {sentence, ""};
  return {sentence.substr(0, colon), sentence.substr(colon + 2)};
}

}  // namespace

std::optional<Mismatch> common_value(const Observation& o, const ConstHostBuffers& inputs, const std::byte* output) {
  if (o.wrong > 0) {
    if (auto found = not_written(o)) return found;
    if (auto found = zeros(o)) return found;
  }
  if (auto sentence = o.problem.explain(inputs, output)) return split_question(*sentence);
  if (o.wrong > 0) {
    if (auto found = not_a_number(o)) return found;
    if (auto found = shift(o)) return found;
    if (auto found = running_sum(o)) return found;
    if (auto found = factor(o)) return found;
    if (auto found = offset(o)) return found;
    if (auto found = exact_as_a_whole(o, inputs)) return found;
  }
  return short_numbers(o);
}

}  // namespace harness
