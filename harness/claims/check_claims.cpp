#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/claims/answer.h"
#include "harness/claims/select.h"

namespace harness {

using namespace claim;

namespace {

bool is_time(MetricName metric) { return find_metric(to_string(metric))->unit == "ms"; }

/// Times of different problems say nothing about two variants. Rates may be compared, and one variant with itself.
Done check_pairs(const Item& first, const Item& second, const Claim& claim, const std::vector<Figure>& figures) {
  if (!is_time(first.metric) || first.variant == second.variant) return ok();
  for (const FigurePair& pair : pairs_of(first, second, claim, figures))
    if (const Case& a = *pair.first->planned, &b = *pair.second->planned; !same_problem(a, b))
      return Error{fmt::format(
          "{}: this claim compares the times of different problems, {} {} and {} {}; compare rates, "
          "or write how the time changes along an axis",
          to_string(claim.position), to_string(a.dtype), a.problem->label(), to_string(b.dtype), b.problem->label())};
  return ok();
}

}  // namespace

Done check_claims(const std::vector<Claim>& claims, const std::vector<Case>& planned,
                  const std::vector<std::string>& absent) {
  const auto figures = figures_of(planned);
  for (const Claim& claim : claims) {
    if (std::ranges::any_of(items_of(claim.form), [&](const Item& item) { return contains(absent, item.variant); }))
      continue;
    if (const std::string why = nothing_to_compare(claim, figures); !why.empty())
      return Error{fmt::format("{}: this claim compares nothing: {}", to_string(claim.position), why)};
    if (const auto* order = std::get_if<Order>(&claim.form))
      for (size_t i = 0; i + 1 < order->items.size(); ++i)
        TRY(check_pairs(order->items[i], order->items[i + 1], claim, figures));
    if (const auto* quotient = std::get_if<Quotient>(&claim.form))
      TRY(check_pairs(quotient->top, quotient->bottom, claim, figures));
  }
  return ok();
}

}  // namespace harness
