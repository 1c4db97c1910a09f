#include "harness/store/case_ratio.h"

#include <algorithm>

#include "harness/measure/call_time.h"

namespace harness {
namespace {

constexpr size_t fewest_rounds = 6;

// The samples of rounds that both have.
std::pair<std::vector<double>, std::vector<double>> same_rounds(const CaseRecord& a, const CaseRecord& b) {
  std::pair<std::vector<double>, std::vector<double>> both;
  if (a.reused_from != b.reused_from) return both;
  // A record may come from another person's store and have any number of rounds.
  const size_t mine = std::min(a.rounds.size(), a.samples_ms.size());
  const size_t theirs = std::min(b.rounds.size(), b.samples_ms.size());
  for (size_t i = 0, j = 0; i < mine && j < theirs;) {
    if (a.rounds[i] < b.rounds[j])
      ++i;
    else if (a.rounds[i] > b.rounds[j])
      ++j;
    else {
      both.first.push_back(a.samples_ms[i++]);
      both.second.push_back(b.samples_ms[j++]);
    }
  }
  return both;
}

Ratio ratio_of_samples(const CaseRecord& faster, const CaseRecord& than, Timed timed, int comparisons) {
  if (timed == Timed::together)
    if (const auto [mine, theirs] = same_rounds(faster, than); mine.size() >= fewest_rounds)
      return paired_ratio(mine, theirs, comparisons);
  return unpaired_ratio(summarize(faster.samples_ms), summarize(than.samples_ms));
}

}  // namespace

double unknown_share(const CaseRecord& record) {
  const double unknown_ms = record.device == Device::gpu ? gpu_resolution_ms : record.overhead_spread_ms.value_or(0);
  return overhead_share(summarize(record.samples_ms).median, unknown_ms);
}

Ratio case_ratio(const CaseRecord& faster, const CaseRecord& than, Timed timed, int comparisons) {
  return with_overhead(ratio_of_samples(faster, than, timed, comparisons), unknown_share(faster), unknown_share(than));
}

}  // namespace harness
