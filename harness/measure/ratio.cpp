#include <algorithm>
#include <cmath>

#include "harness/measure/statistics.h"

namespace harness {
namespace {

bool usable(double x) { return std::isfinite(x) && x > 0; }

}  // namespace

Ratio paired_ratio(std::span<const double> a, std::span<const double> b, int comparisons) {
  Ratio r;
  r.paired = true;
  // The logarithm keeps the order, so order statistics of the ratios are those of the log ratios.
  std::vector<double> ratios;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (usable(a[i]) && usable(b[i])) ratios.push_back(b[i] / a[i]);
  r.rounds = static_cast<int>(ratios.size());
  if (ratios.empty()) return r;

  std::sort(ratios.begin(), ratios.end());
  const size_t n = ratios.size();
  // The median of the logarithms: between two ratios it is their geometric mean.
  r.value = n % 2 ? ratios[n / 2] : std::sqrt(ratios[n / 2 - 1]) * std::sqrt(ratios[n / 2]);
  if (const int k = median_interval_rank(r.rounds, 0.05 / std::max(1, comparisons)))
    r.interval = {ratios[k - 1], ratios[n - k]};
  return r;
}

Ratio unpaired_ratio(const Summary& a, const Summary& b) {
  Ratio r;
  if (!usable(a.median) || !usable(b.median)) return r;
  r.value = b.median / a.median;
  if (a.interval && b.interval && usable(a.interval->low) && usable(b.interval->low))
    r.interval = {b.interval->low / a.interval->high, b.interval->high / a.interval->low};
  return r;
}

}  // namespace harness
