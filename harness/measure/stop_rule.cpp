#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/measure/statistics.h"

namespace harness {
namespace {

// The plateau rule uses nvbench's numbers (at least 64 estimates, 5 %) for another estimate: the half width of the
// interval. While the noise is independent, the half width falls with 1/sqrt(n), so the rule compares it with the half
// width at half the samples. It does not fall when times are bimodal, drift, or contain a long disturbance.
constexpr int kPlateauSamples = 64;
constexpr double kPlateauSeconds = 0.5;  // a fast case takes 64 samples in less time than a disturbance lasts
constexpr int kSlowPlateauSamples = 24;  // a slow case never gets 64: it may stop after half its time
constexpr double kImprovement = 0.05;
constexpr int kLooksADoubling = 6;  // 1.125^6 = 2.03
constexpr int kSmoothed = 3;        // looks that are averaged, because a single one is noisy

}  // namespace

StopRule::StopRule(Policy policy) : policy_(policy), next_look_(policy.min_samples) {}

StopReason StopRule::add(double sample, double elapsed_s) {
  ++offered_;
  if (std::isfinite(sample)) samples_.push_back(sample);
  const bool samples_out = offered_ >= policy_.max_samples;
  const bool time_out = elapsed_s + elapsed_s / offered_ / 2 >= policy_.max_time_s;

  const int n = static_cast<int>(samples_.size());
  if (n >= policy_.min_samples && (n >= next_look_ || samples_out || time_out)) {
    next_look_ = n + std::max(1, n / 8);
    const auto width = relative_half_width(summarize(samples_));
    if (width && *width <= policy_.precision) return StopReason::precision;
    widths_.push_back(width.value_or(std::numeric_limits<double>::infinity()));
    if (at_plateau(elapsed_s)) return StopReason::plateau;
  }
  if (time_out) return StopReason::time_cap;
  if (samples_out) return StopReason::sample_cap;
  return StopReason::none;
}

bool StopRule::at_plateau(double elapsed_s) const {
  const int n = static_cast<int>(samples_.size());
  const bool fast = n >= kPlateauSamples && elapsed_s >= kPlateauSeconds;
  const bool slow = n >= kSlowPlateauSamples && elapsed_s >= policy_.max_time_s / 2;
  if (!fast && !slow) return false;
  if (widths_.size() < kLooksADoubling + kSmoothed) return false;
  const auto mean_before = [&](size_t end) {
    double sum = 0;
    for (size_t i = end - kSmoothed; i < end; ++i) sum += widths_[i];
    return sum / kSmoothed;
  };
  return mean_before(widths_.size()) > (1 - kImprovement) * mean_before(widths_.size() - kLooksADoubling);
}

}  // namespace harness
