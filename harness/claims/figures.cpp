#include "harness/claims/figures.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/measure/call_time.h"
#include "harness/store/case_ratio.h"

namespace harness {
namespace {

std::string name_of(const Figure& figure) {
  return figure.variant + (figure.axes.empty() ? "" : " " + to_string(figure.axes));
}

Number exactly(double value) { return {value, Interval{value, value}}; }

/// +1: the metric is proportional to time; -1: to 1/time; 0: to neither. Cases of one problem share the factor.
int power_of_time(MetricName metric) {
  using enum MetricName;
  return metric == kernel_ms ? 1 : metric == gflops || metric == gbytes_s ? -1 : 0;
}

bool same_group(const CaseRecord& a, const CaseRecord& b) {
  return a.sweep == b.sweep && a.dtype == b.dtype && a.threads == b.threads && a.device == b.device && a.gpu == b.gpu &&
         a.parameters == b.parameters;
}

Summary summary_of(const Number& number) {
  Summary summary;
  summary.median = number.value;
  summary.interval = number.interval;
  return summary;
}

std::optional<Number> paired_quotient(const Figure& top, const Figure& bottom, int power, int comparisons) {
  if (!top.measured || !bottom.measured || !same_group(*top.measured, *bottom.measured)) return std::nullopt;
  const Figure &faster = power > 0 ? bottom : top, &than = power > 0 ? top : bottom;
  const Ratio ratio = case_ratio(*faster.measured, *than.measured, Timed::together, comparisons);
  if (!ratio.paired || !ratio.interval) return std::nullopt;
  return Number{ratio.value, ratio.interval};
}

// The intervals of CPU times include what is unknown of them.
Ratio with_resolution(const Ratio& ratio, const Figure& top, const Figure& bottom, int power) {
  const auto on_gpu = [](const Figure& figure) { return figure.measured && figure.measured->device == Device::gpu; };
  if (power == 0 || !on_gpu(top) || !on_gpu(bottom)) return ratio;
  const Figure &faster = power > 0 ? bottom : top, &than = power > 0 ? top : bottom;
  return with_overhead(ratio, unknown_share(*faster.measured), unknown_share(*than.measured));
}

}  // namespace

std::vector<Figure> figures_of(const std::vector<Case>& planned) {
  std::vector<Figure> figures;
  for (const Case& c : planned) figures.push_back({c.sweep, c.variant, c.axes, &c, nullptr, nullptr});
  return figures;
}

std::vector<Figure> figures_of(const std::vector<const CaseRecord*>& measured) {
  std::vector<Figure> figures;
  for (const CaseRecord* r : measured) figures.push_back({r->sweep, r->variant, r->axes, nullptr, r, nullptr});
  return figures;
}

std::vector<MachineFigures> figures_of(const std::vector<PublishedFile>& published, const Config& config) {
  std::vector<MachineFigures> machines;
  for (const PublishedFile& file : published) {
    Dtype dtype = config.dtype;
    for (const Sweep& sweep : config.sweeps)
      if (sweep.name == file.sweep) dtype = sweep.dtype.value_or(dtype);
    auto at = std::ranges::find(machines, file.machine, &MachineFigures::machine);
    if (at == machines.end()) at = machines.insert(machines.end(), {file.machine, {}});
    for (const PublishedRow& row : file.rows)
      if (row.dtype.empty() || row.dtype == to_string(dtype))
        at->figures.push_back({file.sweep, row.variant, row.axes, nullptr, nullptr, &row});
  }
  return machines;
}

Numbered number_of(const Figure& figure, MetricName metric) {
  if (figure.published) {
    for (const auto& [name, value] : figure.published->values)
      if (name == to_string(metric)) return exactly(value);
    return fmt::format("there is no published {} of {}", to_string(metric), name_of(figure));
  }
  if (!figure.measured) return name_of(figure) + " has not run";
  const CaseRecord& record = *figure.measured;
  if (record.status != Status::PASSED)
    return fmt::format("{} is {}{}", name_of(figure), to_string(record.status),
                       record.reason.empty() ? "" : ": " + printable(record.reason, 200));
  const Metric* found = record.find(metric);
  if (!found) return fmt::format("{} has no {}", name_of(figure), to_string(metric));
  if (metric == MetricName::warps_occupied) return exactly(found->median);
  Number number{found->median, std::nullopt};
  if (found->low && found->high) number.interval = {*found->low, *found->high};
  return number;
}

Numbered quotient_of(const Figure& top, MetricName of_top, const Figure& bottom, MetricName of_bottom,
                     int comparisons) {
  TRY_ASSIGN(const Number above, number_of(top, of_top));
  TRY_ASSIGN(const Number below, number_of(bottom, of_bottom));
  const int power = of_top == of_bottom ? power_of_time(of_top) : 0;
  if (power != 0)
    if (const auto paired = paired_quotient(top, bottom, power, comparisons)) return *paired;
  if (!(above.value > 0 && below.value > 0))
    return fmt::format("{} of {} is 0", to_string(above.value > 0 ? of_bottom : of_top),
                       name_of(above.value > 0 ? bottom : top));
  const Ratio ratio = with_resolution(unpaired_ratio(summary_of(below), summary_of(above)), top, bottom, power);
  return Number{ratio.value, ratio.interval};
}

}  // namespace harness
