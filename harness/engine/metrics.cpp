#include "harness/engine/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/base/text.h"
#include "harness/measure/statistics.h"

namespace harness {
namespace {

// A time may be this much shorter than a limit allows, because the limit itself is measured to a few percent.
constexpr double limit_tolerance = 1.08;
// A limit that was measured on a busy machine may be too low, but not by more, because the probe keeps its best time.
constexpr double busy_tolerance = 4;
// Drivers report L2 only. Some GPUs have a cache behind it: the MI300X 256 MiB (AMD Infinity Cache), four times this.
constexpr int64_t least_gpu_cache_bytes = 64 << 20;

Metric of_summary(const Summary& s) {
  Metric m;
  m.median = s.median;
  m.n = s.n;
  if (s.interval) {
    m.low = s.interval->low;
    m.high = s.interval->high;
  }
  m.min = s.min;
  m.max = s.max;
  m.q1 = s.q1;
  m.q3 = s.q3;
  return m;
}

// Work divided by time. The ends of the interval change places.
Metric rate(const Metric& time_ms, double work, double unit) {
  Metric m;
  const auto per = [&](double ms) { return work / (ms * 1e-3) / unit; };
  m.median = per(time_ms.median);
  if (time_ms.low) {
    m.low = per(*time_ms.high);
    m.high = per(*time_ms.low);
  }
  m.n = time_ms.n;
  return m;
}

const MachineLimit* find_limit(const MachineLimits& limits, const std::string& name, const CaseRecord& record) {
  const MachineLimit* found = nullptr;
  for (const MachineLimit& c : limits.all) {
    if (c.name != name) continue;
    if (record.device == Device::gpu ? c.device == record.gpu : c.device == "cpu" && c.threads == record.threads)
      found = &c;
  }
  return found;
}

// The shortest time that the measured limits allow, and the limit that sets it. Data in caches moves faster than the
// memory limit, which therefore counts only for data much larger than the last level.
struct Shortest {
  double ms = 0;
  const MachineLimit* limit = nullptr;
  bool may_exceed = false;  // other units than the limit's, or fewer operations than are counted: there is no share of it

  bool allows(double time_ms) const {
    return ms <= 0 || time_ms * (limit->quiet ? limit_tolerance : busy_tolerance) >= ms;
  }
};
Shortest shortest_time(const MachineLimits& limits, const CaseState& state) {
  const CaseRecord& record = state.record;
  Shortest shortest;
  if (const MachineLimit* fma = find_limit(limits, fmt::format("fma_{}", to_string(arithmetic_of(record.dtype))), record)) {
    const Precision declared = state.build ? state.build->precision : Precision{};
    const double units = declared.faster;
    const double faster = record.device == Device::cpu ? std::min(units, limits.cpu_faster) : units;
    const double least = state.plan->problem->least_flops(declared.normwise ? Algorithms::transforming : Algorithms::direct);
    shortest = {least / fma->value / faster * 1e3, fma, faster > 1 || least * limit_tolerance < record.flops};
  }
  const auto cache = static_cast<double>(record.device == Device::gpu
                                             ? std::max(limits.gpu_cache_bytes, least_gpu_cache_bytes)
                                             : limits.cpu_cache_bytes);
  if (const MachineLimit* copy = find_limit(limits, "copy", record); copy && record.bytes > 4 * cache)
    if (const double ms = record.bytes / copy->value * 1e3; ms > shortest.ms) shortest = {ms, copy, false};
  return shortest;
}

// The overhead of a short call was measured on other calls. It may have been nothing.
double at_most_ms(const CaseRecord& record, double time_ms) {
  for (const Note& note : record.notes)
    if (note.code == NoteCode::short_call) time_ms += std::get<double>(note.arguments.front().second);
  return time_ms;
}

}  // namespace

Metric metric_of(const std::vector<double>& samples) { return of_summary(summarize(samples)); }

const MachineLimit* beaten_limit(const MachineLimits& limits, const CaseState& state) {
  const Summary s = summarize(state.record.samples_ms);
  const Shortest shortest = shortest_time(limits, state);
  return s.n == 0 || shortest.allows(at_most_ms(state.record, s.median)) ? nullptr : shortest.limit;
}

void derive_metrics(const MachineLimits& limits, CaseState& state) {
  CaseRecord& r = state.record;
  const Summary s = summarize(r.samples_ms);
  if (s.n == 0) return;
  const Metric time = of_summary(r.summary());
  std::vector<std::pair<MetricName, Metric>> metrics = {{MetricName::kernel_ms, time},
                                                        {MetricName::gflops, rate(time, r.flops, 1e9)},
                                                        {MetricName::gbytes_s, rate(time, r.bytes, 1e9)}};
  const auto half = relative_half_width(s);
  if (s.n < 6) r.notes.push_back({NoteCode::few_samples, {{"samples", int64_t{s.n}}}});
  if (half) state.evidence.spread = {s.n, *half};
  if (const Shortest shortest = shortest_time(limits, state); shortest.ms > 0) {
    if (!shortest.may_exceed) {
      Metric percent = rate(time, shortest.ms * 1e-3, 1e-2);
      percent.limit = shortest.limit->name;
      metrics.emplace_back(MetricName::percent_of_limit, percent);
    }
    if (!shortest.allows(at_most_ms(r, time.median))) state.evidence.beaten = {shortest.limit->name, time.median, shortest.ms};
  }
  // Without allocation, because a program that calls again keeps its buffers.
  if (const Metric* in = r.find(MetricName::h2d_ms), *out = r.find(MetricName::d2h_ms); in && out) {
    Metric total;
    total.median = in->median + time.median + out->median;
    total.n = std::min({in->n, time.n, out->n});
    // The sum lies between the sums of the ends if each of the three lies in its interval.
    if (in->low && time.low && out->low) {
      total.low = *in->low + *time.low + *out->low;
      total.high = *in->high + *time.high + *out->high;
    }
    metrics.emplace_back(MetricName::total_ms, total);
    metrics.emplace_back(MetricName::gflops_total, rate(total, r.flops, 1e9));
  }
  r.metrics.insert(r.metrics.begin(), metrics.begin(), metrics.end());
}

void derive_share_at_clock(const Machine& machine, CaseRecord& record) {
  const Metric *share = record.find(MetricName::percent_of_limit), *clock = record.find(MetricName::sm_clock_mhz);
  if (!share || !clock || !share->limit.starts_with("fma_")) return;
  for (const GpuInfo& gpu : machine.gpus) {
    const double highest = gpu.uuid == record.gpu && gpu.details ? gpu.details->value("clocks_max_sm_mhz", 0.0) : 0;
    if (highest <= 0) continue;
    Metric at_clock = *share;
    for (auto* end : {&at_clock.low, &at_clock.high})
      if (*end) **end *= highest / clock->median;
    at_clock.median *= highest / clock->median;
    record.metrics.emplace_back(MetricName::percent_of_limit_at_clock, at_clock);
    return;
  }
}

}  // namespace harness
