#include "harness/claims/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/base/text.h"

namespace harness {

using namespace claim;

namespace {

double as_number(const Value& value) {
  if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(&value);
  return real ? *real : 0;
}

bool is_one_of(const Value& value, const std::vector<Value>& allowed) {
  return std::ranges::any_of(allowed, [&](const Value& one) { return to_string(one) == to_string(value); });
}

bool fulfils(const Filter& condition, const Value& value) {
  using enum Filter::Op;
  const double have = as_number(value), limit = as_number(condition.values[0]);
  switch (condition.op) {
    case equal:
      return is_one_of(value, condition.values);
    case unequal:
      return !is_one_of(value, condition.values);
    case below:
      return have < limit;
    case at_most:
      return have <= limit;
    case above:
      return have > limit;
    case at_least:
      return have >= limit;
  }
  return false;
}

bool has_metric(const Figure& figure, MetricName metric) { return !figure.published || number_of(figure, metric); }

Axes matched_axes(const Figure& figure, const Claim& claim) {
  Axes axes;
  for (const auto& axis : figure.axes)
    if (!contains(claim.unmatched, axis.first)) axes.push_back(axis);
  return axes;
}

std::string name_of(const Item& item) {
  return fmt::format("{}{}{}", item.variant, item.fixed.empty() ? "" : " ", to_string(item.fixed));
}

std::string no_pair(const Item& first, const Item& second, const Claim& claim, const std::vector<Figure>& figures) {
  if (!pairs_of(first, second, claim, figures).empty()) return "";
  return fmt::format("no case of {} has the axis values of a case of {}", name_of(first), name_of(second));
}

/// "lowest at BLOCK between 16 and 64" compares values inside with values outside.
bool has_both_sides(const Extreme& extreme, const FigureGroup& group) {
  const auto inside = [&](const Figure* f) { return is_in(extreme.range, number_at(*f, extreme.axis)); };
  return std::ranges::any_of(group.figures, inside) && !std::ranges::all_of(group.figures, inside);
}

}  // namespace

double number_at(const Figure& figure, const std::string& axis) { return as_number(*find(figure.axes, axis)); }

bool is_in(const Range& range, double value) {
  return range.ends == Range::Ends::inside ? range.low <= value && value <= range.high
                                           : range.low < value && value < range.high;
}

FigurePointers figures_of_item(const Item& item, const Claim& claim, const std::vector<Figure>& figures) {
  FigurePointers found;
  for (const Figure& figure : figures) {
    const auto has = [&](const auto& fixed) {
      const Value* value = find(figure.axes, fixed.first);
      return value && to_string(*value) == to_string(fixed.second);
    };
    const auto allows = [&](const Filter& condition) {
      const Value* value = find(figure.axes, condition.axis);
      return !value || fulfils(condition, *value);
    };
    if (figure.variant == item.variant && (figure.sweep.empty() || figure.sweep == item.sweep) &&
        std::ranges::all_of(item.fixed, has) && std::ranges::all_of(claim.where, allows) &&
        has_metric(figure, item.metric))
      found.push_back(&figure);
  }
  return found;
}

std::vector<FigurePair> pairs_of(const Item& first, const Item& second, const Claim& claim,
                                 const std::vector<Figure>& figures) {
  std::vector<FigurePair> pairs;
  const FigurePointers others = figures_of_item(second, claim, figures);
  for (const Figure* a : figures_of_item(first, claim, figures))
    for (const Figure* b : others) {
      Axes at = matched_axes(*a, claim);
      bool agree = a != b;
      for (const auto& [axis, value] : matched_axes(*b, claim)) {
        const Value* mine = find(at, axis);
        if (!mine)
          at.emplace_back(axis, value);
        else
          agree = agree && to_string(*mine) == to_string(value);
      }
      if (!agree) continue;
      for (const auto& [axis, value] : a->axes)  // they tell pairs apart whose items set only some of these
        if (contains(claim.unmatched, axis) && !find(first.fixed, axis)) at.emplace_back(axis, value);
      for (const auto& [axis, value] : b->axes)
        if (contains(claim.unmatched, axis) && !find(second.fixed, axis) && !find(at, axis)) at.emplace_back(axis, value);
      pairs.push_back({a, b, std::move(at)});
    }
  return pairs;
}

std::vector<FigureGroup> groups_of(const Item& item, const std::string& axis, const Claim& claim,
                                   const std::vector<Figure>& figures) {
  std::vector<FigureGroup> groups;
  std::map<std::string, size_t> index;
  for (const Figure* figure : figures_of_item(item, claim, figures)) {
    if (!find(figure->axes, axis)) continue;
    Axes at = matched_axes(*figure, claim);
    const auto [found, is_new] = index.try_emplace(to_string(at), groups.size());
    if (is_new) groups.push_back({{}, std::move(at)});
    groups[found->second].figures.push_back(figure);
  }
  std::erase_if(groups, [](const FigureGroup& group) { return group.figures.size() < 2; });
  for (FigureGroup& group : groups)
    std::ranges::stable_sort(group.figures, {}, [&](const Figure* figure) { return number_at(*figure, axis); });
  return groups;
}

std::string nothing_to_compare(const Claim& claim, const std::vector<Figure>& figures) {
  for (const Item& item : items_of(claim.form))
    if (figures_of_item(item, claim, figures).empty()) return fmt::format("no case of {} is selected", name_of(item));
  if (const auto* order = std::get_if<Order>(&claim.form))
    for (size_t i = 0; i + 1 < order->items.size(); ++i)
      if (auto why = no_pair(order->items[i], order->items[i + 1], claim, figures); !why.empty()) return why;
  if (const auto* quotient = std::get_if<Quotient>(&claim.form))
    return no_pair(quotient->top, quotient->bottom, claim, figures);
  const std::string axis = axis_of(claim.form);
  if (axis.empty()) return "";
  const auto groups = groups_of(items_of(claim.form)[0], axis, claim, figures);
  if (groups.empty()) return fmt::format("fewer than two values of {} are selected", axis);
  const auto* extreme = std::get_if<Extreme>(&claim.form);
  if (extreme && std::ranges::none_of(groups, [&](const auto& group) { return has_both_sides(*extreme, group); }))
    return fmt::format("values of {} inside and outside of the range are needed", axis);
  if (std::holds_alternative<Dips>(claim.form) &&
      std::ranges::all_of(groups, [](const FigureGroup& group) { return group.figures.size() < 3; }))
    return fmt::format("fewer than three values of {} are selected", axis);
  return "";
}

}  // namespace harness
