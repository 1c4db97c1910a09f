// Statistics of time samples. Samples are not normally distributed and a busy machine disturbs them, so only order
// statistics are used.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "harness/base/enums.h"

namespace harness {

struct Interval {
  double low = 0, high = 0;
};

struct Summary {
  int n = 0;  // finite samples; others are left out of everything
  double median = 0, min = 0, max = 0;
  double q1 = 0, q3 = 0;  // nearest rank: always one of the samples
  /// 95 % interval of the median from order statistics (distribution-free); absent below 6 samples.
  std::optional<Interval> interval;
};
/// The interval misses the median with probability `alpha` at most; it is absent if that takes more samples.
Summary summarize(std::span<const double> samples, double alpha = 0.05);

/// Half width of the interval over the median; absent without an interval or with a median that is not
/// positive.
std::optional<double> relative_half_width(const Summary& s);

enum class StopReason { none, precision, plateau, time_cap, sample_cap, budget, slower };
template <>
struct Spelling<StopReason> {
  static constexpr std::string_view words[] = {"none",       "precision", "plateau", "time_cap",
                                               "sample_cap", "budget",    "slower"};
};

/// Decides after each sample whether a case has enough of them. Each case has its own object.
///
/// The rule looks at the interval when the number of samples has grown by an eighth since the last look, not after
/// each sample. This costs O(log n) per sample, and it loses less coverage, because there are fewer looks at which
/// chance can stop the sampling early (94 % instead of 93 % of a nominal 95 % on normal and exponential noise).
class StopRule {
 public:
  struct Policy {
    double precision;  // relative half width that is enough
    int min_samples, max_samples;
    double max_time_s;  // time spent on sampling, measured by the harness
  };
  explicit StopRule(Policy policy);

  /// `elapsed_s`: since sampling began. Returns a reason once there is one:
  ///   precision   the interval is narrow enough, and there are min_samples
  ///   plateau     twice as many samples made the interval less than 5 % narrower: more samples will not help
  ///   time_cap    the next sample would end past max_time_s by more than half its length
  ///   sample_cap  max_samples were taken
  /// A sample that is not finite counts only towards the caps.
  StopReason add(double sample, double elapsed_s);

 private:
  bool at_plateau(double elapsed_s) const;

  Policy policy_;
  std::vector<double> samples_;
  std::vector<double> widths_;  // relative half width at each look
  int offered_ = 0;
  int next_look_;
};

/// Ratio of two cases, b over a: how much faster a is.
struct Ratio {
  double value = 0;                  // 0: there are no usable samples
  std::optional<Interval> interval;  // 95 %
  bool paired = false;               // from samples of the same rounds
  int rounds = 0;                    // paired: rounds used

  /// Whether the interval contains 1: shown as ~.
  bool equal() const { return interval && interval->low <= 1 && 1 <= interval->high; }
};

/// Paired ratio: sample i of `a` and sample i of `b` were taken in the same round. Samples without a partner and
/// rounds with a sample that is not positive and finite are ignored. The value is the exponential of the median log
/// ratio, with the interval of the exact sign test; its level is divided by `comparisons` (Bonferroni). A tie has a
/// log ratio of 0 and stays in, which makes the interval wider, never narrower.
Ratio paired_ratio(std::span<const double> a, std::span<const double> b, int comparisons = 1);

/// Unpaired ratio: the quotient of the two medians' intervals. Its coverage is at least that of both together.
Ratio unpaired_ratio(const Summary& a, const Summary& b);

/// Rank k of the interval [x_(k), x_(n-k+1)] that holds the median with probability 1 - alpha or more: the
/// largest k with P(Bin(n, 1/2) <= k - 1) <= alpha / 2. 0 if there are too few samples. O(sqrt(n)).
int median_interval_rank(int n, double alpha);

}  // namespace harness
