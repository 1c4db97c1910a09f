#include "harness/claims/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/claims/select.h"

namespace harness {

using namespace claim;

namespace {

constexpr Range above_one = {1, Range{}.high, Range::Ends::outside};
constexpr Range below_one = {Range{}.low, 1, Range::Ends::outside};

/// True if all of the interval is in the range.
bool inside(const Range& range, const Interval& interval) {
  return is_in(range, interval.low) && is_in(range, interval.high);
}
/// True if nothing of the interval is in the range.
bool outside(const Range& range, const Interval& interval) {
  if (range.ends == Range::Ends::inside) return interval.high < range.low || interval.low > range.high;
  return interval.high <= range.low || interval.low >= range.high;
}

ClaimAnswer decide(const Range& range, const Number& number) {
  if (!number.interval) return ClaimAnswer::UNDECIDED;
  return inside(range, *number.interval)    ? ClaimAnswer::HOLDS
         : outside(range, *number.interval) ? ClaimAnswer::FAILS
                                            : ClaimAnswer::UNDECIDED;
}

/// The points of a claim. Each form has one function.
class Points {
 public:
  Points(const Claim& claim, const std::vector<Figure>& figures) : claim_(claim), figures_(figures) {}

  std::vector<AnsweredPoint> take() {
    std::visit([this](const auto& form) { add(form); }, claim_.form);
    return std::move(points_);
  }

 private:
  void point(const Axes& at, const std::string& more, const Numbered& number, const Range& range) {
    points_.push_back({at, more, answer_of(number, range), number});
  }

  void add(const Order& order) {
    for (size_t i = 0; i + 1 < order.items.size(); ++i) {
      const Item &less = order.items[i], &greater = order.items[i + 1];
      const std::string which =
          order.items.size() > 2 ? fmt::format("{} over {}", name_of(greater, less), name_of(less, greater)) : "";
      quotients(greater, less, above_one, which, static_cast<int>(order.items.size()) - 1);
    }
  }

  void add(const Quotient& form) { quotients(form.top, form.bottom, form.range, "", 1); }

  void quotients(const Item& top, const Item& bottom, const Range& range, const std::string& more, int steps) {
    const auto pairs = pairs_of(top, bottom, claim_, figures_);
    for (const FigurePair& pair : pairs)
      point(pair.at, more,
            quotient_of(*pair.first, top.metric, *pair.second, bottom.metric, static_cast<int>(pairs.size()) * steps),
            range);
  }

  void add(const Within& form) {
    for (const Figure* figure : figures_of_item(form.item, claim_, figures_))
      point(figure->axes, "", number_of(*figure, form.item.metric), form.range);
  }

  void add(const Monotone& form) {
    const auto groups = groups_of(form.item, form.axis, claim_, figures_);
    int steps = 0;
    for (const FigureGroup& group : groups) steps += static_cast<int>(group.figures.size()) - 1;
    for (const FigureGroup& group : groups)
      for (size_t i = 0; i + 1 < group.figures.size(); ++i) {
        const Figure &here = *group.figures[i], &next = *group.figures[i + 1];
        point(group.at, fmt::format("{}={} to {}", form.axis, value_at(here, form.axis), value_at(next, form.axis)),
              quotient_of(next, form.item.metric, here, form.item.metric, steps),
              form.direction == Monotone::Direction::rises ? above_one : below_one);
      }
  }

  /// One point for each group: of all quotients, the one that decides.
  void add(const Flat& form) {
    const Range allowed{Range{}.low, (1 + form.tolerance) / (1 - form.tolerance)};
    for (const FigureGroup& group : groups_of(form.item, form.axis, claim_, figures_)) {
      std::optional<AnsweredPoint> worst;
      const int comparisons = static_cast<int>(group.figures.size() * (group.figures.size() - 1) / 2);
      for (const Figure* top : group.figures)
        for (const Figure* bottom : group.figures) {
          if (top == bottom) continue;
          const Numbered number = quotient_of(*top, form.item.metric, *bottom, form.item.metric, comparisons);
          const ClaimAnswer one = answer_of(number, allowed);
          const bool larger = number && worst && worst->number && number->value > worst->number->value;
          if (!worst || rank(one) > rank(worst->answer) || (rank(one) == rank(worst->answer) && larger))
            worst = {group.at,
                     fmt::format("{}={} over {}", form.axis, value_at(*top, form.axis), value_at(*bottom, form.axis)),
                     one, number};
        }
      points_.push_back(*worst);
    }
  }

  /// The best inside must be better than each one outside. It fails if the best outside is better than each one inside.
  void add(const Extreme& form) {
    const bool lowest = form.which == Extreme::Which::lowest;
    for (const FigureGroup& group : groups_of(form.item, form.axis, claim_, figures_)) {
      FigurePointers within, without;
      for (const Figure* figure : group.figures)
        (is_in(form.range, number_at(*figure, form.axis)) ? within : without).push_back(figure);
      if (within.empty() || without.empty()) continue;
      const auto over = [&](const Figure* top, const Figure* bottom) {
        return quotient_of(*top, form.item.metric, *bottom, form.item.metric,
                           static_cast<int>(group.figures.size()) - 1);
      };
      const Figure *best = best_of(within, form.item.metric, lowest),
                   *rival = best_of(without, form.item.metric, lowest);
      std::vector<ClaimAnswer> better, worse;
      for (const Figure* other : without)
        better.push_back(answer_of(over(other, best), lowest ? above_one : below_one));
      for (const Figure* other : within) worse.push_back(answer_of(over(rival, other), lowest ? below_one : above_one));
      const ClaimAnswer answer = all_of(better) == ClaimAnswer::HOLDS  ? ClaimAnswer::HOLDS
                                 : all_of(worse) == ClaimAnswer::HOLDS ? ClaimAnswer::FAILS
                                                                       : ClaimAnswer::UNDECIDED;
      points_.push_back(
          {group.at, fmt::format("{}={} over {}", form.axis, value_at(*rival, form.axis), value_at(*best, form.axis)),
           answer, over(rival, best)});
    }
  }

  void add(const Growth& form) {
    for (const FigureGroup& group : groups_of(form.item, form.axis, claim_, figures_))
      point(group.at, span_of(group, form.axis), exponent(group, form), form.range);
  }

  void add(const LastOverHighest& form) {
    for (const FigureGroup& group : groups_of(form.item, form.axis, claim_, figures_)) {
      const Figure* peak = best_of(group.figures, form.item.metric, false);
      const Figure* last = group.figures.back();
      const int comparisons = static_cast<int>(group.figures.size()) - 1;  // the highest is chosen among all
      Numbered number = quotient_of(*last, form.item.metric, *peak, form.item.metric, comparisons);
      if (last == peak) number = share_of_itself(group.figures, *last, form.item.metric, comparisons);
      for (const Figure* figure : group.figures)
        if (const Numbered one = number_of(*figure, form.item.metric); !one) number = one.error();
      point(group.at, fmt::format("{}={} over {}", form.axis, value_at(*last, form.axis), value_at(*peak, form.axis)),
            number, form.range);
    }
  }

  void add(const Dips& form) {
    const Range allowed{1 - form.tolerance, Range{}.high};
    for (const FigureGroup& group : groups_of(form.item, form.axis, claim_, figures_)) {
      const int comparisons = 2 * (static_cast<int>(group.figures.size()) - 2);
      for (size_t i = 1; i + 1 < group.figures.size(); ++i) {
        const Figure &here = *group.figures[i],
                     &smaller = *best_of({group.figures[i - 1], group.figures[i + 1]}, form.item.metric, true);
        Numbered number = quotient_of(here, form.item.metric, smaller, form.item.metric, comparisons);
        // A neighbour that was not measured may be the smaller one.
        for (const Figure* neighbour : {group.figures[i - 1], group.figures[i + 1]})
          if (const Numbered one = number_of(*neighbour, form.item.metric); !one) number = one.error();
        point(group.at, fmt::format("{}={} over {}", form.axis, value_at(here, form.axis), value_at(smaller, form.axis)),
              number, allowed);
      }
    }
  }

  /// The last one is the highest that was measured. Another may be higher in truth, as far as the intervals tell.
  static Numbered share_of_itself(const FigurePointers& figures, const Figure& last, MetricName metric, int comparisons) {
    Number share{1, Interval{1, 1}};
    for (const Figure* other : figures) {
      if (other == &last) continue;
      const Numbered quotient = quotient_of(last, metric, *other, metric, comparisons);
      if (!quotient) return quotient;
      if (!quotient->interval) return Number{1, std::nullopt};
      share.interval->low = std::min(share.interval->low, quotient->interval->low);
    }
    return share;
  }

  /// Slope of the least-squares line through the logarithms. It is linear in each of them, so its ends follow from
  /// those of the intervals.
  static Numbered exponent(const FigureGroup& group, const Growth& form) {
    std::vector<double> x;
    for (const Figure* figure : group.figures) x.push_back(std::log(number_at(*figure, form.axis)));
    double mean = 0, sum = 0;
    for (const double one : x) mean += one / static_cast<double>(x.size());
    for (const double one : x) sum += (one - mean) * (one - mean);
    if (!std::isfinite(sum) || sum <= 0) return fmt::format("{} has a value that is not above 0", form.axis);
    Number slope{0, Interval{}};
    for (size_t i = 0; i < x.size(); ++i) {
      TRY_ASSIGN(const Number y, number_of(*group.figures[i], form.item.metric));
      if (!(y.value > 0) || (y.interval && !(y.interval->low > 0)))
        return fmt::format("{} has a value that is not above 0", to_string(form.item.metric));
      const double weight = (x[i] - mean) / sum;
      slope.value += weight * std::log(y.value);
      if (!y.interval) slope.interval.reset();
      if (!slope.interval) continue;
      slope.interval->low += weight * std::log(weight > 0 ? y.interval->low : y.interval->high);
      slope.interval->high += weight * std::log(weight > 0 ? y.interval->high : y.interval->low);
    }
    return slope;
  }

  static ClaimAnswer answer_of(const Numbered& number, const Range& range) {
    return number ? decide(range, *number) : ClaimAnswer::UNDECIDED;
  }
  static int rank(ClaimAnswer answer) {
    return answer == ClaimAnswer::FAILS ? 2 : answer == ClaimAnswer::UNDECIDED ? 1 : 0;
  }
  /// A figure without a number is never the best, unless none has one.
  static const Figure* best_of(const FigurePointers& figures, MetricName metric, bool lowest) {
    const Figure* best = figures[0];
    for (const Figure* figure : figures) {
      const Numbered mine = number_of(*figure, metric), others = number_of(*best, metric);
      if (mine && (!others || (lowest ? mine->value < others->value : mine->value > others->value))) best = figure;
    }
    return best;
  }
  static std::string value_at(const Figure& figure, const std::string& axis) {
    return to_string(*find(figure.axes, axis));
  }
  static std::string span_of(const FigureGroup& group, const std::string& axis) {
    return fmt::format("{}={} to {}", axis, value_at(*group.figures.front(), axis),
                       value_at(*group.figures.back(), axis));
  }
  /// Without the variant, if both are of the same one.
  static std::string name_of(const Item& item, const Item& other) {
    if (item.variant != other.variant) return item.variant;
    return to_string(item.fixed);
  }

  const Claim& claim_;
  const std::vector<Figure>& figures_;
  std::vector<AnsweredPoint> points_;
};

}  // namespace

ClaimAnswer all_of(const std::vector<ClaimAnswer>& answers) {
  if (std::ranges::count(answers, ClaimAnswer::FAILS)) return ClaimAnswer::FAILS;
  return std::ranges::count(answers, ClaimAnswer::UNDECIDED) ? ClaimAnswer::UNDECIDED : ClaimAnswer::HOLDS;
}

std::vector<AnsweredPoint> points_of(const Claim& claim, const std::vector<Figure>& figures) {
  return Points(claim, figures).take();
}

}  // namespace harness
