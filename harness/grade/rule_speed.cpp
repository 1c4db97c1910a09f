// Points for speed. The better end of the 95 % interval counts, so that noise costs no student a point. If an end is
// far from the median, only the worse one counts and the difference stays open: otherwise a student could gain points
// with a noisy variant, or with one that disturbs the variant that it is compared with.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/base/text.h"
#include "harness/engine/compare.h"
#include "harness/grade/assessor.h"

namespace harness {
namespace {

bool lower_is_better(const Rule& rule) {
  return rule.over.empty() && find_metric(to_string(rule.metric))->better == MetricInfo::Better::lower;
}

std::string what_counts(const Rule& rule) {
  return rule.over.empty() ? find_metric(to_string(rule.metric))->label : "speedup over " + rule.over;
}

double points_at(const Rule& rule, double value) {
  if (!std::isfinite(value)) return 0;
  const double sign = lower_is_better(rule) ? -1 : 1;
  const Threshold* reached = nullptr;
  for (const Threshold& next : rule.thresholds) {
    if (sign * value < sign * next.value) {
      if (!reached || rule.between == Between::steps) break;
      return reached->points +
             (next.points - reached->points) * (value - reached->value) / (next.value - reached->value);
    }
    reached = &next;
  }
  return reached ? reached->points : 0;
}

/// The case of the variant `over` with the same problem, or null. If it was timed with several values of its macros, the fastest
/// one, if possible of the same sweep and number of threads.
const CaseRecord* reference_of(const RunRecord& run, const Rule& rule, const CaseRecord& record) {
  const auto order = [&](const CaseRecord& one) {
    return std::pair(one.sweep != record.sweep || one.threads != record.threads, one.summary().median);
  };
  const CaseRecord* found = nullptr;
  for (const CaseRecord& other : run.cases)
    if (other.variant == rule.over && other.dtype == record.dtype && !other.samples_ms.empty() &&
        to_string(other.parameters) == to_string(record.parameters) && (!found || order(other) < order(*found)))
      found = &other;
  return found;
}

// How far each end may be from the median, relative to the median: twice what makes a case UNSTABLE.
constexpr double most_favour = 0.1;

struct Speed {
  const CaseRecord* record;
  double points;    // that count
  double open = 0;  // that a quieter run might give
  std::string why;  // "3.95 (3.9 .. 4.01) at size=64"
};

Speed speed_of(const Rule& rule, const CaseRecord& record, const Metric& metric) {
  const double at_median = points_at(rule, metric.median);
  std::string why = fmt::format("{:.3g}", metric.median);
  if (metric.low && metric.high) why += fmt::format(" ({:.3g} .. {:.3g})", *metric.low, *metric.high);
  if (!record.axes.empty()) why += " at " + to_string(record.axes);
  if (!metric.low || !metric.high) {  // fewer than 6 samples: a longer measurement must decide
    const double could = points_at(rule, metric.median * (lower_is_better(rule) ? 1 - most_favour : 1 + most_favour));
    if (could > 0) why += fmt::format(", too few samples to decide about {:.4g} points", could);
    return {&record, 0, could, why};
  }
  const auto [at_worst, at_best] = std::minmax({points_at(rule, *metric.low), points_at(rule, *metric.high)});
  if (std::max(metric.median - *metric.low, *metric.high - metric.median) > most_favour * metric.median) {
    if (at_best > at_worst) why += fmt::format(", too noisy to decide about {:.4g} more points", at_best - at_worst);
    return {&record, at_worst, at_best - at_worst, why};
  }
  if (at_best > at_median)
    why += fmt::format(", within noise of the threshold, so {:.4g} points count and not {:.4g}", at_best, at_median);
  return {&record, at_best, 0, why};
}

class SpeedRule final : public Assessor {
 public:
  std::string_view kind() const override { return "speed"; }
  void assess(const RuleView& view, Award& award) const override {
    if (blocked(view, award, "speed")) return;
    std::vector<Speed> speeds;
    std::string untimed;
    for (const CaseRecord* one : view.cases) {
      const std::optional<Metric> metric = measured(view, *one);
      if (metric && is_right(*one) && !is_replaced(*view.run, metric->over))
        speeds.push_back(speed_of(view.rule, *one, *metric));
      else if (untimed.empty())
        untimed =
            fmt::format("{} has no {}{}", short_name(*one), what_counts(view.rule),
                        is_undecided(*one)                               ? ": " + one->reason
                        : one->device == Device::emulated                ? ": the emulated device takes no times"
                        : metric && is_replaced(*view.run, metric->over) ? ": the submission replaces " + metric->over
                                                                         : "");
    }
    if (speeds.empty()) {
      award.open = award.of;
      award.why = untimed;
      return;
    }
    combine(view, speeds, award);
    if (!untimed.empty()) {
      const double rest = static_cast<double>(view.cases.size() - speeds.size());
      switch (view.rule.across) {
        case Across::mean:
          award.open += award.of * rest / static_cast<double>(view.cases.size());
          break;
        case Across::best:  // the case without a time may be the best
          award.open = award.of - award.earned;
          break;
        case Across::worst:  // or the worst
          award.open += award.earned;
          award.earned = 0;
          break;
      }
      award.why += "; " + untimed;
    }
  }

 private:
  static std::optional<Metric> measured(const RuleView& view, const CaseRecord& record) {
    if (view.rule.over.empty()) {
      const Metric* found = record.find(view.rule.metric);
      return found ? std::optional(*found) : std::nullopt;
    }
    const CaseRecord* reference = reference_of(*view.run, view.rule, record);
    return reference && !record.samples_ms.empty() ? std::optional(speedup_over(*reference, record)) : std::nullopt;
  }

  static void combine(const RuleView& view, const std::vector<Speed>& speeds, Award& award) {
    const Rule& rule = view.rule;
    const auto best = std::ranges::max_element(speeds, {}, &Speed::points),
               worst = std::ranges::min_element(speeds, {}, &Speed::points);
    // The case that the sentences are about: the one that decides, or that could gain most.
    const Speed& shown = rule.across == Across::best ? *best : *worst;
    award.earned = shown.points;
    const auto most = [](const Speed& speed) { return speed.points + speed.open; };
    award.open = (rule.across == Across::best ? most(*std::ranges::max_element(speeds, {}, most))
                                              : most(*std::ranges::min_element(speeds, {}, most))) -
                 award.earned;
    if (rule.across == Across::mean) {
      award.earned = award.open = 0;
      for (const Speed& speed : speeds) {
        award.earned += speed.points / static_cast<double>(view.cases.size());
        award.open += speed.open / static_cast<double>(view.cases.size());
      }
    }
    award.why = fmt::format("{} {}", what_counts(rule), shown.why);
    if (speeds.size() > 1)
      award.why =
          fmt::format("the {} of {}{} {}", to_string(rule.across), counted(static_cast<int64_t>(speeds.size()), "case"),
                      rule.across == Across::mean ? ", the worst with" : ":", award.why);
    for (const Threshold& next : rule.thresholds)
      if (next.points > shown.points) {
        award.next = fmt::format("{:.4g} points at {} {:.4g}", next.points, what_counts(rule), next.value);
        break;
      }
    for (const Diagnostic& d : shown.record->diagnostics)
      if (!award.next.empty() && d.severity == Severity::advice) {
        award.next += fmt::format("; {}:{}: {} (usually: {})", d.file, d.line, d.what, d.fix);
        break;
      }
  }
};

const SpeedRule speed_rule;
const Register<Assessor> register_speed(&speed_rule);

}  // namespace
}  // namespace harness
