#include "harness/measure/clocks.h"

#include <algorithm>
#include <functional>

#include "harness/measure/statistics.h"

namespace harness {
namespace {

// What a worker may do beside its calls without being told a liar: a share of what it claims and of what it is
// known to need, and a little more a batch and a call. Real calls push data out of the caches and branches out of
// the predictor, and another thread may begin to share the core, so that all else costs more than it does beside
// calls that do nothing. Nobody honest may be accused, so kernels of a few microseconds have some room to lie.
constexpr double of_claim = 0.15, of_overhead = 1.2, more_cpu_ms = 0.05, more_call_ms = 0.0003;
// Time passes for more reasons: on a busy machine a process waits its turn at the beginning and at the end.
struct Room {
  double of_claim, of_overhead, batch_ms, call_ms;
};
constexpr Room passed_here{0.4, of_overhead, 2, 0}, passed_undisturbed{0.4, of_overhead, 0, 0},
    passed_on_device{0.2, 0.5, 2, 0.01};
constexpr double of_fetch = 0.5, more_fetch_ms = 2;

using OfBatch = std::function<double(const ClockedBatch&)>;
double cpu_beside(const ClockedBatch& b) { return b.cpu_ms - b.claimed_ms; }
double passed_beside(const ClockedBatch& b) { return b.outside_ms - b.claimed_ms; }

Summary summary(const std::vector<ClockedBatch>& batches, const OfBatch& of) {
  std::vector<double> all;
  for (const ClockedBatch& b : batches) all.push_back(std::max(0.0, of(b)));
  return summarize(all);
}

/// What of a batch the claim and the overhead leave unexplained, tolerance included.
double unexplained_cpu(const ClockedBatch& b, const Overhead& overhead, int threads) {
  const double spinning = (threads - 1) * b.outside_ms, known = overhead.cpu_ms(b.calls);
  return b.cpu_ms - b.claimed_ms * (1 + of_claim) - spinning - known * (1 + of_overhead) - more_cpu_ms -
         b.calls * more_call_ms;
}
double unexplained_passed(const ClockedBatch& b, const Overhead& overhead, const Room& room) {
  return b.outside_ms - b.claimed_ms * (1 + room.of_claim) - overhead.ms(b.calls) * (1 + room.of_overhead) -
         room.batch_ms - b.calls * room.call_ms;
}

double lower_quartile(const std::vector<double>& of_batches) { return summarize(of_batches).q1; }

ClockVerdict compare(const std::vector<ClockedBatch>& batches, const Overhead& overhead, int threads,
                     const Room& room) {
  using By = ClockVerdict::By;
  ClockVerdict verdict;
  if (batches.empty()) return verdict;
  int most = 0;
  for (const ClockedBatch& b : batches) most = std::max(most, b.calls);
  std::vector<double> cpu, passed, said, computed, waited;
  for (const ClockedBatch& b : batches) {
    if (2 * b.calls < most) continue;  // the first ones, which are too short to tell
    said.push_back(b.claimed_ms / b.calls);
    passed.push_back(unexplained_passed(b, overhead, room));
    waited.push_back((b.outside_ms - overhead.ms(b.calls)) / b.calls);
    if (b.cpu_ms <= 0) continue;
    cpu.push_back(unexplained_cpu(b, overhead, threads));
    computed.push_back((b.cpu_ms - overhead.cpu_ms(b.calls)) / b.calls);
  }
  verdict.said_ms = summarize(said).median;
  if (!cpu.empty() && lower_quartile(cpu) > 0)
    verdict.by = By::processor;
  else if (lower_quartile(passed) > 0)
    verdict.by = By::wall;
  if (verdict.by == By::none) return verdict;
  verdict.seen_ms = summarize(verdict.by == By::processor ? computed : waited).median;
  return verdict;
}

}  // namespace

Overhead overhead(const std::vector<ClockedBatch>& one, const std::vector<ClockedBatch>& several) {
  // What a batch takes by itself is small in these: taking it off would make calls cheap wherever a batch of one call
  // was slow by chance, and honest variants liars.
  const auto a_call = [&](const OfBatch& of) {
    return several.empty() ? 0 : summary(several, of).min / several.front().calls;
  };
  Overhead found;
  found.call_cpu_ms = a_call(cpu_beside);
  found.call_ms = a_call(passed_beside);
  found.batch_cpu_ms = std::max(0.0, summary(one, cpu_beside).min - found.call_cpu_ms);
  found.batch_ms = std::max(0.0, summary(one, passed_beside).min - found.call_ms);
  return found;
}

Overhead overhead_now(const std::vector<ClockedBatch>& beside) {
  Overhead found;
  found.batch_cpu_ms = summary(beside, cpu_beside).q3;
  found.batch_ms = summary(beside, passed_beside).q3;
  return found;
}

ClockVerdict compare_clocks(const std::vector<ClockedBatch>& batches, const Overhead& overhead, int threads) {
  return compare(batches, overhead, threads, passed_here);
}
ClockVerdict doubt_clocks(const std::vector<ClockedBatch>& batches, const Overhead& overhead, int threads) {
  return compare(batches, overhead, threads, passed_undisturbed);
}
ClockVerdict compare_device_clocks(const std::vector<ClockedBatch>& batches, const Overhead& overhead) {
  return compare(batches, overhead, 1, passed_on_device);
}

bool comes_late(double fetch_ms, double known_ms) {
  return fetch_ms > known_ms * (1 + of_fetch) + more_fetch_ms;
}

}  // namespace harness
