#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "harness/measure/statistics.h"

namespace harness {

int median_interval_rank(int n, double alpha) {
  if (n <= 0 || alpha <= 0) return 0;
  // Hoeffding: P(Bin(n, 1/2) <= n/2 - t) <= exp(-2 t^2 / n). So the walk upwards starts below the answer.
  const double t = std::sqrt(n * std::log(2 / alpha) / 2);
  int k = std::max(0, static_cast<int>(std::floor(n / 2.0 - t)));
  int sign;  // lgamma_r, because lgamma writes a global
  double term = std::exp(lgamma_r(n + 1, &sign) - lgamma_r(k + 1, &sign) - lgamma_r(n - k + 1, &sign) -
                         n * std::log(2.0));
  double tail = term;  // P(Bin <= k)
  for (double i = k, t_i = term; i > 0 && t_i > tail * 1e-17; --i) tail += t_i *= i / (n - i + 1);
  const double limit = alpha / 2 * (1 + 1e-12);  // lgamma rounds
  while (tail <= limit) {
    ++k;
    tail += term *= (n - k + 1.0) / k;
  }
  return k;
}

Summary summarize(std::span<const double> samples, double alpha) {
  std::vector<double> x;
  x.reserve(samples.size());
  std::copy_if(samples.begin(), samples.end(), std::back_inserter(x),
               [](double v) { return std::isfinite(v); });
  std::sort(x.begin(), x.end());

  Summary s;
  s.n = static_cast<int>(x.size());
  if (x.empty()) return s;
  const size_t n = x.size();
  s.min = x.front();
  s.max = x.back();
  s.median = n % 2 ? x[n / 2] : std::midpoint(x[n / 2 - 1], x[n / 2]);
  s.q1 = x[(n + 3) / 4 - 1];
  s.q3 = x[(3 * n + 3) / 4 - 1];
  if (const int k = median_interval_rank(s.n, alpha)) s.interval = {x[k - 1], x[n - k]};
  return s;
}

std::optional<double> relative_half_width(const Summary& s) {
  if (!s.interval || !(s.median > 0)) return std::nullopt;
  return (s.interval->high - s.interval->low) / 2 / s.median;
}

}  // namespace harness
