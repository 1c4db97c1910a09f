#include "reference/common/mistakes.h"

#include <cmath>

#include "harness/base/random.h"
#include "reference/common/matrix.h"

namespace harness {

namespace {

/// At most so many cells are compared.
constexpr int64_t most_cells = 1024;

std::vector<Cell> cells_to_try(const BufferSpec& out) {
  std::vector<Cell> cells;
  if (out.rows * out.cols <= most_cells) {
    for (int64_t i = 0; i < out.rows; ++i)
      for (int64_t j = 0; j < out.cols; ++j) cells.push_back({i, j});
    return cells;
  }
  constexpr uint64_t seed = 1;
  for (uint64_t t = 0; t < most_cells; ++t)
    cells.push_back({static_cast<int64_t>(random_bits(seed, 2 * t) % static_cast<uint64_t>(out.rows)),
                     static_cast<int64_t>(random_bits(seed, 2 * t + 1) % static_cast<uint64_t>(out.cols))});
  return cells;
}

}  // namespace

Comparison::Comparison(const Problem& problem, const ConstHostBuffers& inputs, const std::byte* got)
    : factor_(6 * std::sqrt(static_cast<double>(problem.reduction_length())) *
              unit_roundoff(problem.dtype())),
      stored_(stored_roundoff(problem.dtype())),
      cells_(cells_to_try(problem.output())),
      right_(cells_.size()) {
  std::vector<double> scale(cells_.size());
  problem.reference_at(inputs, cells_, right_.data(), scale.data());
  with_type(problem.dtype(), [&](auto type) {
    const auto* first = reinterpret_cast<const decltype(type)*>(got);
    for (const Cell& c : cells_)
      got_.push_back(static_cast<double>(first[c.row * problem.output().ld + c.col]));
  });
  for (size_t c = 1; c < cells_.size(); ++c)
    if (std::abs(got_[c] - right_[c]) > std::abs(got_[worst_] - right_[worst_])) worst_ = c;
}

bool Comparison::close(double got, const Predicted& p) const {
  if (std::isnan(p.value)) return std::isnan(got);
  return std::abs(got - p.value) <= factor_ * p.scale + stored_ * (std::abs(p.value) + factor_ * p.scale);
}

bool Comparison::fits(const Mistake& mistake) const {
  double to_mistake = 0, to_right = 0;
  int64_t numbers = 0;
  for (size_t c = 0; c < cells_.size(); ++c) {
    const Predicted p = mistake.cell(cells_[c].row, cells_[c].col);
    if (!close(got_[c], p)) return false;
    if (std::isnan(p.value)) {
      to_right = INFINITY;
      continue;
    }
    ++numbers;
    to_mistake += (got_[c] - p.value) * (got_[c] - p.value);
    to_right += (got_[c] - right_[c]) * (got_[c] - right_[c]);
  }
  return numbers > 0 && to_right > 100 * to_mistake;
}

}  // namespace harness
