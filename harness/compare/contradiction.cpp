#include "harness/compare/contradiction.h"

#include <fmt/format.h>

#include <cmath>

#include "harness/base/text.h"
#include "harness/store/case_ratio.h"

namespace harness {
namespace {

using Why = std::optional<std::string>;

/// What the samples say about a metric.
struct Expected {
  double median = 0;
  std::optional<Interval> interval = {};
};

bool differs(double printed, double measured) {
  constexpr double rounding = 1e-6;
  return !(std::abs(printed - measured) <= rounding * std::abs(measured));
}

bool has_other_interval(const Metric& printed, const Expected& expected) {
  if (printed.low.has_value() != expected.interval.has_value() || printed.high.has_value() != printed.low.has_value()) return true;
  return printed.low && (differs(*printed.low, expected.interval->low) || differs(*printed.high, expected.interval->high));
}

/// Work per time: the ends of the interval change places.
Expected rate(const Expected& time_ms, double work_per_ms) {
  Expected rate{work_per_ms / time_ms.median};
  if (time_ms.interval) rate.interval = Interval{work_per_ms / time_ms.interval->high, work_per_ms / time_ms.interval->low};
  return rate;
}

template <class Text>
Why compare(const CaseRecord& record, MetricName name, const Expected& expected, const Text& text) {
  const Metric* printed = record.find(name);
  if (!printed) return std::nullopt;
  const bool other_median = differs(printed->median, expected.median);
  if (!other_median && !has_other_interval(*printed, expected)) return std::nullopt;
  return fmt::format("the original says {}, and its samples say {}{}", text(printed->median), text(expected.median),
                     other_median ? "" : ", with another interval");
}

Why compare(const CaseRecord& record, MetricName name, const Expected& expected) {
  return compare(record, name, expected, [&](double value) { return fmt::format("{} {:.4g}", to_string(name), value); });
}

// A ratio must follow from the samples of both cases. There can be several cases of the variant that it names.
Why wrong_ratio(const RunRecord& run, const CaseRecord& record, MetricName name) {
  const Metric* printed = record.find(name);
  if (!printed) return std::nullopt;
  const double unit = name == MetricName::percent_of_vendor ? 100 : 1;
  std::optional<double> measured;
  for (const CaseRecord& base : run.cases) {
    if (base.variant != printed->over || base.dtype != record.dtype || base.parameters != record.parameters || !is_timed(base)) continue;
    measured = case_ratio(record, base, printed->paired.value_or(false) ? Timed::together : Timed::apart, 1).value;
    if (!differs(printed->median, *measured * unit)) return std::nullopt;
  }
  if (!measured) return fmt::format("the original says {:.4g} times as fast as {}, and has no time of it", printed->median / unit, printed->over);
  return fmt::format("the original says {:.4g} times as fast as {}, and its samples say {:.4g}", printed->median / unit, printed->over, *measured);
}

// Copies have no samples in the run; the total time is that of copies and samples together.
Why wrong_total(const RunRecord& run, const CaseRecord& record, double time_ms) {
  const auto total_of = [](const CaseRecord& of, double kernel_ms) {
    const Metric *in = of.find(MetricName::h2d_ms), *out = of.find(MetricName::d2h_ms);
    return kernel_ms + (in ? in->median : 0) + (out ? out->median : 0);
  };
  const double total_ms = total_of(record, time_ms);
  if (const Metric* printed = record.find(MetricName::total_ms); printed && differs(printed->median, total_ms))
    return fmt::format("the original says total_ms {:.4g}, and its parts are {:.4g} together", printed->median, total_ms);
  if (const Metric* printed = record.find(MetricName::gflops_total); printed && differs(printed->median, record.flops / total_ms * 1e-6))
    return fmt::format("the original says gflops_total {:.4g}, and its times say {:.4g}", printed->median, record.flops / total_ms * 1e-6);
  const Metric* printed = record.find(MetricName::speedup_total);
  if (!printed) return std::nullopt;
  std::optional<double> measured;
  for (const CaseRecord& base : run.cases) {
    if (base.variant != printed->over || base.dtype != record.dtype || base.parameters != record.parameters || !is_timed(base)) continue;
    measured = total_of(base, base.summary().median) / total_ms;
    if (!differs(printed->median, *measured)) return std::nullopt;
  }
  return fmt::format("the original says speedup_total {:.4g} over {}, and its times say {}", printed->median, printed->over,
                     measured ? fmt::format("{:.4g}", *measured) : "nothing of it");
}

Why wrong_share_of_limit(const RunRecord& run, const CaseRecord& record, double time_ms) {
  const Metric* printed = record.find(MetricName::percent_of_limit);
  if (!printed) return std::nullopt;
  const MachineLimit* limit = nullptr;
  for (const MachineLimit& one : run.machine_limits)
    if (one.name == printed->limit &&
        (record.device == Device::gpu ? one.device == record.gpu : one.device == "cpu" && one.threads == record.threads))
      limit = &one;
  if (!limit) return fmt::format("the original says percent_of_limit {:.4g} of a limit that it does not have", printed->median);
  // A case that is known from an earlier run has the share of the limit that was measured then, on a machine that may have been busy.
  const double between_runs = record.reused_from.empty() ? 1.25 : 4;
  const double work = starts_with(limit->name, "fma_") ? record.flops : record.bytes;
  const double measured = work / limit->value * 1e3 * 100 / time_ms;
  if (printed->median <= measured * between_runs && printed->median * between_runs >= measured) return std::nullopt;
  return fmt::format("the original says percent_of_limit {:.4g}, and its samples say {:.4g}", printed->median, measured);
}

// The config's recorded time is the same in both runs.
Why wrong_recorded_speedup(const CaseRecord& record, const CaseRecord& again) {
  const Metric* printed = record.find(MetricName::speedup_recorded);
  if (!printed || !is_timed(again)) return std::nullopt;
  const auto recorded_ms = [](const CaseRecord& of) -> std::optional<double> {
    const Metric* speedup = of.find(MetricName::speedup_recorded);
    const Metric* total = of.find(of.device == Device::cpu ? MetricName::kernel_ms : MetricName::total_ms);
    if (!speedup || !total) return std::nullopt;
    return speedup->median * total->median;
  };
  const auto then = recorded_ms(record), now = recorded_ms(again);
  if (then && now && !differs(*then, *now)) return std::nullopt;
  return fmt::format("the original says speedup_recorded {:.4g}, and the config has {}", printed->median,
                     now ? "another recorded time" : "no recorded time of it");
}

Why wrong_efficiency(const CaseRecord& record) {
  const Metric *printed = record.find(MetricName::efficiency), *warps = record.find(MetricName::warps_occupied);
  if (!printed) return std::nullopt;
  for (const MetricName name : {MetricName::speedup_recorded, MetricName::speedup_total})
    if (const Metric* speedup = record.find(name); warps && speedup && !differs(printed->median, speedup->median / warps->median))
      return std::nullopt;
  return fmt::format("the original says efficiency {:.4g}, which does not follow from a speedup and a number of warps", printed->median);
}

}  // namespace

Why contradiction(const RunRecord& run, const CaseRecord& record, const CaseRecord& again) {
  if (differs(record.flops, again.flops))
    return fmt::format("the original says {:.4g} operations, and this problem has {:.4g}", record.flops, again.flops);
  if (differs(record.bytes, again.bytes))
    return fmt::format("the original says {:.4g} bytes, and this problem has {:.4g}", record.bytes, again.bytes);
  if (!is_timed(record)) {
    using enum MetricName;
    for (const MetricName name : {kernel_ms, gflops, gbytes_s, percent_of_limit, speedup, percent_of_vendor, total_ms, gflops_total, speedup_total})
      if (record.find(name)) return "the original prints times and has no samples of them";
    return std::nullopt;
  }
  const Summary measured = record.summary();
  const Expected time_ms{measured.median, measured.interval};
  if (auto why = compare(record, MetricName::kernel_ms, time_ms, [](double ms) { return human_time(ms * 1e-3); })) return why;
  if (auto why = compare(record, MetricName::gflops, rate(time_ms, record.flops * 1e-6),
                         [](double value) { return fmt::format("{:.4g} GFLOP/s", value); }))
    return why;
  if (auto why = compare(record, MetricName::gbytes_s, rate(time_ms, record.bytes * 1e-6))) return why;
  if (auto why = wrong_share_of_limit(run, record, measured.median)) return why;
  for (const MetricName name : {MetricName::speedup, MetricName::percent_of_vendor})
    if (auto why = wrong_ratio(run, record, name)) return why;
  if (auto why = wrong_recorded_speedup(record, again)) return why;
  if (auto why = wrong_efficiency(record)) return why;
  return wrong_total(run, record, measured.median);
}

}  // namespace harness
