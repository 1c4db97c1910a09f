#include "harness/engine/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/base/text.h"

namespace harness {
namespace {

// Before a build has run. Low rates, so that the estimate is careful.
constexpr double unknown_cpu_rate = 5e8, unknown_gpu_rate = 5e11;
// Enough for a few samples of a short kernel, even if long ones have used up the budget.
constexpr double least_sampling_s = 0.1;
// Larger problems are slower than estimated more often than faster.
constexpr double slower = 1.6;

}  // namespace

double estimated_call_s(const CaseState& s) {
  const bool gpu = s.build->variant->gpu;
  const double rate = s.build->flops_per_s, flops = s.record.flops;
  if (rate <= 0) return flops / (gpu ? unknown_gpu_rate : unknown_cpu_rate);
  // On a GPU the rate of a small problem only shows the launch latency.
  if (gpu) return flops / std::max(rate, unknown_gpu_rate);
  // The rate falls as data outgrows the caches: by a fifth per eightfold problem in the CPU labs.
  const double steps = std::max(0.0, std::log2(flops / s.build->rate_flops) / 3);
  return flops / rate * std::pow(1.2, steps);
}

bool too_long(const PlacedLab& lab, const CaseState& s) {
  return lab.options.longest_call_s && estimated_call_s(s) > *lab.options.longest_call_s;
}

double estimated_left_s(const PlacedLab& lab, const Cases& cases, double max_s) {
  double sum = 0;
  for (const CaseState& s : cases.all)
    if (to_time(lab, s) && !too_long(lab, s)) sum += std::min(max_s, 30 * estimated_call_s(s)) + 2 * estimated_call_s(s);
  return sum;
}

Remaining remaining(const PlacedLab& lab, const Cases& cases) {
  Remaining all;
  for (const CaseState& s : cases.all) {
    if (!to_time(lab, s) || too_long(lab, s)) continue;
    ++all.cases;
    const double least_s = slower * estimated_call_s(s) + 0.01;
    if (s.build->variant->from_submission)
      all.submitted_s.push_back(least_s);
    else
      all.own_least_s += least_s;
  }
  return all;
}

double shortest_calls_s(const Cases& cases) {
  double sum_s = 0;
  for (const CaseState& s : cases.all)
    if (!s.known && !s.record.samples_ms.empty()) sum_s += *std::ranges::min_element(s.record.samples_ms) * 1e-3;
  return sum_s;
}

double Budget::per_case_s(double most_s, const Remaining& remaining) const {
  if (!seconds_) return most_s;
  const int cases = std::max(remaining.cases, 1);
  double spare_s = left_s() - remaining.own_least_s;
  for (const double least_s : remaining.submitted_s) spare_s -= std::min(least_s, left_s() / cases);
  return std::clamp(spare_s / cases, std::min(least_sampling_s, most_s), most_s);
}

// A tenth is for checks, machine limits and the report.
double Budget::left_s() const {
  return 0.9 * *seconds_ - (watch_.s() - waited_s_);
}

std::optional<std::string> Budget::too_short(const PlacedLab& lab, const Cases& cases) const {
  if (!seconds_) return std::nullopt;
  std::vector<double> calls_s;
  for (const CaseState& s : cases.all)
    if (to_time(lab, s) && !too_long(lab, s)) calls_s.push_back(estimated_call_s(s));
  if (calls_s.empty()) return std::nullopt;
  std::ranges::sort(calls_s);
  const double all_s = std::accumulate(calls_s.begin(), calls_s.end(), 0.0) * slower;
  if (all_s <= left_s()) return std::nullopt;
  const std::string text = fmt::format("one call of each case that is left takes about {}, and the budget leaves {}",
                                       human_time(all_s), human_time(std::max(0.0, left_s())));
  for (const double longest_s : {100., 50., 20., 10., 5., 2., 1., 0.5, 0.2, 0.1}) {
    const auto end = std::ranges::upper_bound(calls_s, longest_s);
    const double kept_s = std::accumulate(calls_s.begin(), end, 0.0) * slower;
    if (end == calls_s.begin() || kept_s > left_s()) continue;
    return fmt::format("{}; --longest-call {:g}s leaves out {}, and one call of each other case takes {}", text,
                       longest_s, counted(calls_s.end() - end, "case"), human_time(kept_s));
  }
  return text;
}

}  // namespace harness
