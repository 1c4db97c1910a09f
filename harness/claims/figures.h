// The numbers that a claim is answered from: those of a run, those of a report, or, before a run, none yet.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/config/config.h"
#include "harness/measure/statistics.h"
#include "harness/plan/plan.h"
#include "harness/store/run_record.h"

namespace harness {

/// The numbers of one case. One of the three pointers is set.
struct Figure {
  std::string sweep;  // empty: any
  std::string variant;
  Axes axes;
  const Case* planned = nullptr;
  const CaseRecord* measured = nullptr;
  const PublishedRow* published = nullptr;
};

std::vector<Figure> figures_of(const std::vector<Case>& planned);
std::vector<Figure> figures_of(const std::vector<const CaseRecord*>& measured);

/// The published figures of one machine.
struct MachineFigures {
  std::string machine;
  std::vector<Figure> figures;
};
std::vector<MachineFigures> figures_of(const std::vector<PublishedFile>& published, const Config& config);

/// A number with its 95 % interval. A published or counted number is its own interval.
struct Number {
  double value = 0;
  std::optional<Interval> interval;
};
/// Without a number: the reason.
using Numbered = Result<Number, std::string>;

Numbered number_of(const Figure& figure, MetricName metric);
/// `top` over `bottom`; with paired samples, if they are times of one group.
Numbered quotient_of(const Figure& top, MetricName of_top, const Figure& bottom, MetricName of_bottom, int comparisons);

}  // namespace harness
