#include "harness/engine/metrics.h"

#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/engine/compare.h"
#include "harness/measure/statistics.h"

namespace harness {
namespace {

// How far beyond a measured limit a time may lie before it is not believed: the probe itself is good to a few
// percent.
constexpr double limit_tolerance = 1.08;
// A limit that was measured on a busy machine is too low, but not by so much: the probe keeps its best time.
constexpr double busy_tolerance = 4;

Metric of_samples(const Summary& s) {
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

// work / time: the interval turns round.
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

const MachineLimit* find_limit(const Context& context, const std::string& name, const CaseRecord& record) {
  const MachineLimit* found = nullptr;
  for (const MachineLimit& c : context.limits) {
    if (c.name != name) continue;
    if (record.device == Device::gpu ? c.device == record.gpu : c.device == "cpu" && c.threads == record.threads)
      found = &c;
  }
  return found;
}

// Shortest time the measured limits allow, and which limit sets it. Caches can beat the memory limit, so it
// counts only for data well beyond the last level.
struct Floor {
  double ms = 0;
  const MachineLimit* limit = nullptr;

  bool allows(double time_ms) const {
    return ms <= 0 || time_ms * (limit->quiet ? limit_tolerance : busy_tolerance) >= ms;
  }
};
Floor floor_of(const Context& context, const CaseState& state) {
  const CaseRecord& record = state.record;
  // Declared precisions run on other units than the probe's.
  const bool declared = state.target && !state.target->variant->precision.empty();
  Floor floor;
  if (!declared)
    if (const MachineLimit* fma = find_limit(context, fmt::format("fma_{}", to_string(record.dtype)), record))
      floor = {record.flops / fma->value * 1e3, fma};
  const double cache = record.device == Device::gpu ? 64 << 20 : static_cast<double>(context.machine.cpu.l3_bytes);
  if (const MachineLimit* copy = find_limit(context, "copy", record); copy && record.bytes > 4 * cache)
    if (const double ms = record.bytes / copy->value * 1e3; ms > floor.ms)
      floor = {ms, copy};
  return floor;
}

}  // namespace

const MachineLimit* beaten_limit(const Context& context, const CaseState& state) {
  const Summary s = summarize(state.record.samples_ms);
  const Floor floor = floor_of(context, state);
  return s.n == 0 || floor.allows(s.median) ? nullptr : floor.limit;
}

void derive_metrics(const Context& context, CaseState& state) {
  CaseRecord& r = state.record;
  const Summary s = summarize(r.samples_ms);
  if (s.n == 0) return;
  const Metric time = of_samples(s);
  std::vector<std::pair<MetricName, Metric>> metrics = {
      {MetricName::kernel_ms, time}, {MetricName::gflops, rate(time, r.flops, 1e9)}, {MetricName::gbytes_s, rate(time, r.bytes, 1e9)}};
  const auto half = relative_half_width(s);
  if (s.n < 6) r.notes.push_back({NoteCode::few_samples, {{"samples", int64_t{s.n}}}});
  if (half) state.evidence.spread = {s.n, *half};
  if (const Floor floor = floor_of(context, state); floor.ms > 0) {
    Metric percent = rate(time, floor.ms * 1e-3, 1e-2);
    percent.limit = floor.limit->name;
    metrics.emplace_back(MetricName::percent_of_limit, percent);
    if (!floor.allows(time.median)) state.evidence.beaten = {floor.limit->name, time.median, floor.ms};
  }
  // Allocation is told apart: a program that calls again keeps its buffers.
  if (const Metric* in = find_metric_of(r, MetricName::h2d_ms), *out = find_metric_of(r, MetricName::d2h_ms); in && out) {
    Metric total;
    total.median = in->median + time.median + out->median;
    total.n = 1;
    metrics.emplace_back(MetricName::total_ms, total);
    metrics.emplace_back(MetricName::gflops_total, rate(total, r.flops, 1e9));
  }
  r.metrics.insert(r.metrics.begin(), metrics.begin(), metrics.end());
}

}  // namespace harness
