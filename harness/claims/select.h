// The figures that a claim compares.
#pragma once

#include <string>
#include <vector>

#include "harness/claims/figures.h"

namespace harness {

using FigurePointers = std::vector<const Figure*>;

/// The figures of an item that fulfil the claim's conditions. An axis that a variant does not have is no condition for
/// it. A published row without the metric does not count.
FigurePointers figures_of_item(const claim::Item& item, const Claim& claim, const std::vector<Figure>& figures);

/// Two figures that agree in all axes that both have and that the claim does not set apart.
struct FigurePair {
  const Figure *first, *second;
  Axes at;
};
std::vector<FigurePair> pairs_of(const claim::Item& first, const claim::Item& second, const Claim& claim,
                                 const std::vector<Figure>& figures);

/// The figures of an item along an axis, in its order; all other axes have one value.
struct FigureGroup {
  FigurePointers figures;
  Axes at;
};
/// Groups with two figures or more.
std::vector<FigureGroup> groups_of(const claim::Item& item, const std::string& axis, const Claim& claim,
                                   const std::vector<Figure>& figures);

/// The value of a numeric axis, which the figure has.
double number_at(const Figure& figure, const std::string& axis);
bool is_in(const claim::Range& range, double value);

/// Why the claim says nothing about these figures; empty if it does.
std::string nothing_to_compare(const Claim& claim, const std::vector<Figure>& figures);

}  // namespace harness
