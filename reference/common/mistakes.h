// Compares an output with what known mistakes would give.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/kernel/kernel.h"

namespace harness {

/// The value of a cell after a certain mistake, and the scale of its rounding error.
struct Predicted {
  double value = 0, scale = 0;
};

struct Mistake {
  std::string sentence;
  std::function<Predicted(int64_t row, int64_t col)> cell;
};

class Comparison {
 public:
  Comparison(const Problem& problem, const ConstHostBuffers& inputs, const std::byte* got);

  /// True if all compared cells equal the prediction and are much closer to it than to the right result.
  bool fits(const Mistake& mistake) const;
  /// The compared cell with the largest error.
  Cell worst() const { return cells_[worst_]; }
  double worst_got() const { return got_[worst_]; }
  bool worst_is(const Predicted& p) const { return close(got_[worst_], p); }

 private:
  bool close(double got, const Predicted& p) const;

  double factor_, stored_;
  std::vector<Cell> cells_;
  std::vector<double> got_, right_;
  size_t worst_ = 0;
};

}  // namespace harness
