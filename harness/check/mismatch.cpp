#include <fmt/format.h>

#include <cmath>

#include "harness/check/observation.h"

namespace harness {

namespace {

/// With enough digits to distinguish two numbers of the type.
std::string number(double x, Dtype dtype) {
  if (std::isnan(x)) return "NaN";
  return dtype == Dtype::f64 ? fmt::format("{:.17g}", x) : fmt::format("{:.9g}", x);
}

std::string name(const Observation& o, const Cell& cell) {
  return fmt::format("{}[{}][{}]", o.problem.output().name, cell.row, cell.col);
}

}  // namespace

std::string describe_cells(const Observation& o, const CheckResult& v, std::string_view first_called) {
  if (!v.first) return {};
  const Dtype dtype = o.problem.dtype();
  std::string text = fmt::format("{} {}: got {}, want {}", first_called, name(o, *v.first),
                                 number(v.got, dtype), number(v.want, dtype));
  if (v.bound > 0) text += fmt::format(" (bound {:.2g})", v.bound);
  if (v.worst && (v.worst->row != v.first->row || v.worst->col != v.first->col))
    text += fmt::format(", worst {}", name(o, *v.worst));
  return text;
}

void explain(CheckResult& result, std::string head, std::optional<Mismatch> value, std::optional<Mismatch> location) {
  result.explained = (value && !value->only_size) || location;
  // One question at the end: the values of wrong cells say more about a mistake than their location.
  if (value && !value->question.empty()) std::swap(value, location);
  for (const auto* mismatch : {&value, &location})
    if (*mismatch) head += "; " + (*mismatch)->what;
  const auto& last = location ? location : value;
  if (last && !last->question.empty()) head += ": " + last->question;
  result.message = std::move(head);
}

}  // namespace harness
