// Statistics of samples that are neither normal nor independent of the machine's mood: order statistics only.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace harness {

struct Interval {
  double low = 0, high = 0;
};

struct Summary {
  int n = 0;
  double median = 0, min = 0, max = 0, q1 = 0, q3 = 0;
  /// 95 % interval of the median from order statistics (distribution-free); absent below 6 samples.
  std::optional<Interval> interval;
};
Summary summarize(std::span<const double> samples);

/// Half width of the interval over the median; absent without an interval.
std::optional<double> relative_half_width(const Summary& s);

enum class StopReason { none, precision, plateau, time_cap, sample_cap, budget, single };
std::string_view to_string(StopReason reason);

/// Decides after each sample whether a case has enough. One a case.
class StopRule {
 public:
  struct Policy {
    double precision = 0.005;
    int min_samples = 10, max_samples = 2000;
    double max_time_s = 15;  // of sampling, by the harness's clock
  };
  explicit StopRule(Policy policy);
  ~StopRule();
  StopRule(StopRule&&) noexcept;
  /// `elapsed_s`: since sampling began. Returns a reason once there is one.
  StopReason add(double sample, double elapsed_s);

 private:
  struct State;
  State* state_;
};

/// Ratio of two cases, b over a: how much faster a is.
struct Ratio {
  double value = 0;
  std::optional<Interval> interval;  // 95 %
  bool equal = false;                // the interval contains 1: shown as ~
  bool paired = false;               // from samples of the same rounds
};
/// Paired: the i-th samples were taken in the same round. Exact sign test on log ratios, level divided by
/// `comparisons` (Bonferroni).
Ratio paired_ratio(std::span<const double> a, std::span<const double> b, int comparisons = 1);
/// Unpaired: from the two medians' intervals (conservative).
Ratio unpaired_ratio(const Summary& a, const Summary& b);

}  // namespace harness
