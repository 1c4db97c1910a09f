// Fits the sampling of a whole run to a wall-clock budget: what must be done (one proof, one sample a case)
// is set aside first, the rest is shared out evenly.
#pragma once

#include <chrono>
#include <optional>

namespace harness {

class Budget {
 public:
  explicit Budget(std::optional<double> seconds) : seconds_(seconds), start_(Clock::now()) {}
  bool limited() const { return seconds_.has_value(); }
  /// Seconds since the run's first case began.
  double elapsed_s() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  /// Sampling time of one case now: `must_s` is what all open cases need at least, `open` their number.
  double per_case_s(double most_s, double must_s, int open) const;

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<double> seconds_;
  Clock::time_point start_;
};

}  // namespace harness
